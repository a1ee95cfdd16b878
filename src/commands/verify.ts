import { shown } from "#cli/shown.ts";
import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { Client } from "#client/surface.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import { given } from "#lib/given.ts";
import { command } from "./kit/command.ts";
import { tenantOption } from "./kit/workspaces/options.ts";
import type { CommandContext } from "./kit/context.ts";
import { requireProject } from "./kit/input/project.ts";
import { probeMs, runProbe } from "./verify/run-probe.ts";
import { healthOf } from "./verify/health.ts";
import { familyProbes } from "./verify/probes.ts";
import {
  responseVerdict,
  stateSigns,
  verdictOf,
  verdictSchemas,
  type PartState,
  type Verdict,
} from "./verify/verdict.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** True if the platform has the part: absent means 404, 405 or 501. */
  readonly state: PartState;
  readonly detail: string;
  readonly code?: string;
  readonly status?: number;
}

/** Runs one probe. A catalog error becomes a failed check; other errors are rethrown. */
async function check(name: string, probe: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, state: "present", detail: await probe() };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { code, message, hint } = error;
    // The message of these codes says what happened, and the hint why.
    const hasCause = /^E00|^E201$/.test(code) && hint !== undefined;
    return {
      name,
      ok: false,
      ...verdictOf(error),
      detail: hasCause ? `${message}: ${hint}` : message,
    };
  }
}

/** Refuses an answer that does not state the platform's health, such as an empty one. */
async function requireStated(client: Client, signal: AbortSignal): Promise<void> {
  const response = await client.health.resources.raw({ signal, timeoutMs: probeMs });
  const { state, status, detail = "" } = await responseVerdict(response, "condition");
  if (state !== "present") throw catalogError("E203", { details: detail }, given({ status }));
}

/** The project of the current folder, if any; with E003, E005 or E006 if it is faulty. */
async function projectChecks(context: CommandContext): Promise<readonly Check[]> {
  let root: string | undefined;
  const found = await check("project", async () => {
    const { project } = await context.settings();
    root = project?.root;
    if (project !== undefined) await requireProject(context);
    return root ?? "";
  });
  return found.ok && root === undefined ? [] : [found];
}

export default command({
  path: "verify",
  summary: "Check the platform, the sign-in and the workspace",
  rows: ["checks"],
  arguments: [],
  options: { "tenant-id": tenantOption },
  calls: ["health.resources", "objectTypes.list", "objectTypes.schema", "geo.resolveLocation"],
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      checks: z.array(
        z.strictObject({
          name: z.string(),
          ok: z.boolean(),
          detail: z.string(),
          ...verdictSchemas(z),
        }),
      ),
    }),
  async run(input, context) {
    const { signal } = context;
    const project = await projectChecks(context);
    // The settings of every other check come from the project.
    if (project.some(({ ok }) => !ok)) return await report(context, project);
    const open = await context.clientWithoutWorkspace();
    const workspace = input.options["tenant-id"];
    const checks = [
      ...project,
      await check("platform health", async () => {
        const { status, unwell, version } = await healthOf(open, signal);
        const words = version === undefined ? "" : `, version ${version}`;
        if (unwell === "") {
          await requireStated(open, signal);
          return `${status}${words}`;
        }
        const state = status === "ok" ? "degraded" : status;
        throw catalogError("E203", { details: `${state} (${unwell})${words}` }, { status: 200 });
      }),
      await check("object types", async () => {
        const client = await context.client({ workspace });
        const list = await client.objectTypes.list({ query: { limit: maximumPageLimit }, signal });
        return `${list.items.length}${list.hasNextPage === true ? "+" : ""} readable`;
      }),
      await check("schema", async () => {
        const client = await context.client({ workspace });
        const { objectTypes } = await client.objectTypes.schema({ signal });
        return `${objectTypes.length} published`;
      }),
    ];
    // The families need the sign-in and the workspace that the checks before them tried.
    const isReadable = checks.at(-1)?.ok === true;
    const families = isReadable ? await familyChecks(context, workspace) : [];
    return await report(context, [...checks, ...families]);
  },
});

/** The families that a platform may lack: an absent one is named, and is no fault. */
async function familyChecks(
  context: CommandContext,
  workspace: string | undefined,
): Promise<Check[]> {
  const client = await context.client({ workspace });
  const values = { tenantId: client.tenantId ?? "", tenantRecord: client.tenantId ?? "" };
  return await Promise.all(
    familyProbes.map(async (probe): Promise<Check> => {
      const { part: name, call } = probe;
      const verdict = await familyVerdict(probe, values, client, context.signal);
      const { state, detail = "", ...facts } = verdict;
      if (state === "failing") return { name, ok: false, state, detail, ...facts };
      return { name, ok: true, state, detail: call };
    }),
  );
}

/** A family that gives no answer has failed; the platform has answered the checks before. */
async function familyVerdict(...asked: Parameters<typeof runProbe>): Promise<Verdict> {
  try {
    return await runProbe(...asked);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return verdictOf(error);
  }
}

async function report({ output }: CommandContext, checks: readonly Check[]): Promise<number> {
  const ok = checks.every((entry) => entry.ok);
  await output.data({ ok, checks }, () =>
    checks.map(({ name, state, code, detail }) => {
      const [sign, tone] = stateSigns[state];
      const words = code === undefined ? detail : `${code} ${detail}`;
      const known = state === "present" || state === "failing" ? "" : `${state}, `;
      return shown`${output.tone(tone, sign)} ${name}: ${known}${words}`;
    }),
  );
  if (ok) return exitCodes.done;
  await output.note(shown`A check failed: \`svc errors <code>\` explains its code`);
  const signIn = checks.some((entry) => entry.code !== undefined && /^E10\d$/.test(entry.code));
  return signIn ? exitCodes.signInNeeded : exitCodes.failed;
}
