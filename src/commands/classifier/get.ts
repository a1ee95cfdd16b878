import { command, tenantOption } from "../command.ts";
import { classifierLines } from "./lines.ts";

export const classifierGetCommand = command({
  path: "classifier get",
  summary: "Show a classifier with its labels and the state of its model",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: { "tenant-id": tenantOption },
  routes: ["GET /v4/data/documents/classifiers/{classifierKey}"],
  examples: ["svc classifier get council-documents"],
  async run(input, context) {
    const { output, signal } = context;
    const params = { classifierKey: input.arguments["classifier-key"] };
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const found = await client.classifiers.get({ params, signal });
    await output.data(found, () => classifierLines(context, found));
  },
});
