import { command } from "../command.ts";
import { scalarText } from "../docs/review/decide.ts";
import { requiredTenant } from "./manifest.ts";

export const understandingCapabilitiesCommand = command({
  path: "content-understanding capabilities",
  summary: "Methods, types, models and limits of content understanding",
  arguments: [],
  options: { "tenant-id": requiredTenant },
  routes: ["GET /v4/data/documents/content-understanding/capabilities"],
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
