import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { networkFetch } from "#lib/network/network-fetch.ts";
import { version } from "#lib/version.ts";
import { command } from "./kit/command.ts";
import { registryWords, latestVersion } from "./kit/projects/registry.ts";
import type { CommandContext } from "./kit/context.ts";
import { failedFinding, type Finding } from "./doctor/finding.ts";

/** A sign-in's tokens begin and end by the platform's clock. */
const largestSkewMs = 60_000;

const signs = {
  ok: ["good", "✓"],
  fixed: ["good", "✓"],
  warning: ["warning", "!"],
  failed: ["danger", "✗"],
} as const;

export default command({
  path: "doctor",
  summary: "Check this machine, the profile, the project and the platform",
  description:
    "Checks the configuration folder and the rights of its files, the profile, the address, the " +
    "sign-in, the project's files, the platform, its version and the clock. Exits with 1 when a " +
    `check fails. ${registryWords}`,
  rows: ["findings"],
  arguments: [],
  options: {
    fix: {
      type: "boolean",
      description: "Repair what can be: rights of files, missing managed files, .gitignore",
    },
    "check-updates": { type: "boolean", description: "Also ask the registry for a newer version" },
  },
  calls: ["health.resources"],
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      findings: z.array(
        z.strictObject({
          check: z.string(),
          state: z.enum(["ok", "fixed", "warning", "failed"]),
          detail: z.string(),
          next: z.string().optional(),
        }),
      ),
    }),
  examples: ["svc doctor", "svc doctor --fix --check-updates"],
  trials: [],
  async run({ options }, context) {
    const { output } = context;
    const { localFindings } = await import("./doctor/machine.ts");
    const findings = [
      ...(await localFindings(context, options.fix)),
      ...(await platformFindings(context)),
      ...(options["check-updates"] ? [await updateFinding(context)] : []),
    ];
    const ok = findings.every(({ state }) => state !== "failed");
    await output.data({ ok, findings }, () =>
      findings.flatMap(({ check, state, detail, next }) => {
        const [tone, sign] = signs[state];
        const line = shown`${output.tone(tone, sign)} ${check}: ${detail}`;
        return next === undefined ? [line] : [line, shown`  ${next}`];
      }),
    );
    if (!ok) await output.note(shown`Checks failed`);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});

async function updateFinding(context: CommandContext): Promise<Finding> {
  const check = "updates";
  try {
    const { current, latest, isNewer } = await latestVersion(context);
    if (!isNewer) return { check, state: "ok", detail: `${current} is the latest version` };
    return { check, state: "warning", detail: `version ${latest} is available` };
  } catch (error) {
    return failedFinding(check, error);
  }
}

/** Checks whether the platform answers, its health, its version and its clock. */
async function platformFindings(context: CommandContext): Promise<Finding[]> {
  const check = "platform";
  try {
    const { baseUrl } = await context.settings();
    const { createClient } = await import("#client/client.ts");
    const send = context.environment.fetch ?? networkFetch;
    let date = Number.NaN;
    // The request has no token: the address may be wrong.
    const client = createClient({
      baseUrl: baseUrl.value,
      userAgent: `svc/${version}`,
      retry: false,
      timeoutMs: 10_000,
      fetch: async (request) => {
        const response = await send(request);
        date = Date.parse(response.headers.get("date") ?? "");
        return response;
      },
    });
    const health = await client.health.resources({ signal: context.signal });
    const now = Date.now();
    const isWell = health.status === "ok";
    return [
      {
        check,
        state: isWell ? "ok" : "warning",
        detail: `${baseUrl.value} is ${health.status}`,
        next: isWell ? undefined : "svc verify",
      },
      {
        check: "versions",
        state: "ok",
        detail: `svc ${version}, platform ${health.version ?? "unknown"}, Bun ${Bun.version}`,
      },
      clock(date, now),
    ];
  } catch (error) {
    return [failedFinding(check, error)];
  }
}

function clock(date: number, now: number): Finding {
  const check = "clock";
  if (Number.isNaN(date)) {
    return { check, state: "warning", detail: "the platform sends no time to compare with" };
  }
  const skewMs = Math.abs(now - date);
  const seconds = Math.round(skewMs / 1000);
  if (skewMs <= largestSkewMs) return { check, state: "ok", detail: `${seconds} s apart` };
  const detail = `this machine and the platform are ${seconds} s apart`;
  return { check, state: "failed", detail, next: "Set the clock of this machine" };
}
