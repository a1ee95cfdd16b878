import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { saveAtomically } from "#lib/atomic-write.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import { command } from "../kit/command.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import { actionRows } from "./operation.ts";
import { manifestOption, readManifest, requiredTenant } from "./manifest.ts";

export default command({
  path: "content-understanding plan",
  summary: "Show the changes that a file would make, and save them as a plan",
  description:
    "Changes nothing. With --output the plan is saved as JSON with its digest, for " +
    "`svc content-understanding apply --plan`.",
  arguments: [],
  options: {
    file: manifestOption,
    output: textOption("path", "Save the plan to this file"),
    "tenant-id": requiredTenant,
  },
  calls: ["contentUnderstanding.plan"],
  answer: "contentUnderstanding.plan",
  trials: ["--file manifest.json --tenant-id {workspace}"],
  async run(input, context) {
    const { output, signal } = context;
    const { file, output: target } = input.options;
    const path = target === undefined ? undefined : wholeOutputPath(context, target);
    const manifest = await readManifest(context, file);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const found = await client.contentUnderstanding.plan({ body: manifest, signal });
    const plan = { tenantId: client.tenantId, ...found };
    if (path !== undefined) {
      try {
        await saveAtomically(
          path,
          [new TextEncoder().encode(`${JSON.stringify(plan, null, 2)}\n`)],
          {
            mode: 0o666,
          },
        );
      } catch (error) {
        if (systemErrorCode(error) === undefined) throw error;
        throw inputError(`${target} can't be written: ${writeErrorWords(error)}`);
      }
    }
    await output.data(plan, () => [
      ...actionRows(context, plan.actions),
      shown``,
      ...output.fields([
        ["digest", plan.digest],
        ["saved", path],
      ]),
    ]);
  },
});
