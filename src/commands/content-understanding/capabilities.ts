import { command } from "../kit/command.ts";
import { scalarText } from "../kit/output/rows.ts";
import { requiredTenant } from "./manifest.ts";

export default command({
  path: "content-understanding capabilities",
  summary: "Methods, types, models and limits of content understanding",
  arguments: [],
  options: { "tenant-id": requiredTenant },
  calls: ["contentUnderstanding.capabilities"],
  answer: "contentUnderstanding.capabilities",
  trials: ["--tenant-id {workspace}"],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const found = await client.contentUnderstanding.capabilities({ signal });
    const { models = {}, limits = {} } = found;
    await output.data(found, () =>
      output.fields([
        ["methods", found.methods.join(", ")],
        ["modes", found.modes?.join(", ")],
        ["field types", found.fieldTypes?.join(", ")],
        ["lifecycles", found.lifecycles?.join(", ")],
        ...Object.entries(models).map(
          ([name, model]) => [`model: ${name}`, scalarText(model ?? "none")] as const,
        ),
        ...Object.entries(limits).map(
          ([name, limit]) => [`limit: ${name}`, String(limit)] as const,
        ),
      ]),
    );
  },
});
