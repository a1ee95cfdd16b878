import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import type { ComparedFile } from "#local/managed-files.ts";
import { command } from "../kit/command.ts";
import { managedProject } from "../kit/projects/managed.ts";

/** `svc template check`: compares a project with its template, and changes nothing (spec 4.7). */
export default command({
  path: "template check",
  summary: "Compare a project with its template; changes nothing",
  description:
    "Exits with 1 when a managed file is missing, outdated or changed, or with --no-preserve-ui " +
    "when a page is. Your own files may differ.",
  rows: ["files"],
  arguments: [],
  options: {
    "ai-plan": {
      type: "boolean",
      description: "Print the steps as a plan in Markdown for a coding assistant",
    },
    "preserve-ui": {
      type: "boolean",
      negatable: true,
      default: true,
      description: "Leave the pages of the project out of the steps",
    },
  },
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      template: z.string(),
      version: z.string(),
      preserveUi: z.boolean(),
      files: z.array(z.looseObject({ path: z.string(), state: z.string() })),
      plan: z.string().optional(),
    }),
  examples: ["svc template check", "svc template check --ai-plan > plan.md"],
  async run(input, context) {
    const { output } = context;
    const { compareFiles } = await import("#local/managed-files.ts");
    const { root, manifest, files } = await managedProject(context);
    const preservesUi = input.options["preserve-ui"] !== false;
    const compared = await compareFiles(root, files, manifest);
    const steps = compared.filter(
      ({ kind, state }) =>
        state !== "current" && (kind === "managed" || (kind === "ui" && !preservesUi)),
    );
    const ok = steps.length === 0;
    const plan = input.options["ai-plan"]
      ? planOf(manifest.template, steps, preservesUi)
      : undefined;
    const answer = {
      ok,
      template: manifest.template,
      version: manifest.version,
      preserveUi: preservesUi,
      files: compared,
      ...given({ plan }),
    };
    await output.data(answer, () =>
      plan === undefined
        ? output.table(compared, [
            { heading: "file", value: (row) => row.path, whole: true },
            { heading: "kind", value: (row) => row.kind },
            { heading: "state", value: (row) => row.state },
          ])
        : output.paragraphs(plan),
    );
    await output.note(
      ok
        ? shown`The project matches its template`
        : shown`${counted(steps.length, "file")} to renew`,
    );
    return ok ? exitCodes.done : exitCodes.failed;
  },
});

const stepWords: Readonly<Record<ComparedFile["state"], string>> = {
  current: "leave",
  missing: "restore: run `svc gofer refresh`",
  outdated: "renew: run `svc gofer refresh`",
  changed:
    "compare with the template: run `svc gofer refresh --force`, then take your changes back " +
    "from `.svc/backup`",
};

const uiStepWords = "compare with a new project of the same template, and take over what is wanted";

function planOf(template: string, steps: readonly ComparedFile[], preservesUi: boolean): string {
  const rules = preservesUi
    ? "Do not change any file below `public`."
    : "Pages below `public` may be changed.";
  return [
    `# Bring the project up to its template \`${template}\``,
    "",
    rules,
    "Do not edit `.svc/project.json`.",
    "",
    ...(steps.length === 0 ? ["Nothing is to be done."] : []),
    ...steps.map(
      ({ path, kind, state }, index) =>
        `${index + 1}. \`${path}\` is ${state}: ${kind === "ui" ? uiStepWords : stepWords[state]}.`,
    ),
    "",
    "Then run `npm test` and `svc template check`.",
  ].join("\n");
}
