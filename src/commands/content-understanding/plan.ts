import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { command } from "../kit/command.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import { actionRows } from "./operation.ts";
import { manifestOption, readManifest, requiredTenant } from "./manifest.ts";
import { written } from "../kit/output/written.ts";

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
    if (target !== undefined && path !== undefined) {
      const text = `${JSON.stringify(plan, null, 2)}\n`;
      await written(target, () => writeFileAtomically(path, text, { mode: 0o666 }));
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
