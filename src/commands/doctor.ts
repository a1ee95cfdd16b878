import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "./command.ts";
import { registryWords } from "./project/registry.ts";

const signs = {
  ok: ["good", "✓"],
  fixed: ["good", "✓"],
  warning: ["warning", "!"],
  failed: ["danger", "✗"],
} as const;

export const doctorCommand = command({
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
  routes: ["GET /v4/data/resources/health"],
  examples: ["svc doctor", "svc doctor --fix --check-updates"],
  async run(input, context) {
    const { output } = context;
    const { options } = input;
    const [{ localFindings }, { platformFindings }, { updateFinding }] = await Promise.all([
      import("./doctor/machine.ts"),
      import("./doctor/platform.ts"),
      import("./doctor/updates.ts"),
    ]);
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
