import { command, tenantOption } from "../command.ts";
import { classifierLines } from "./lines.ts";

export const classifierTrainCommand = command({
  path: "classifier train",
  summary: "Train a classifier again from its examples",
  description: "Queues the training; `svc classifier get` shows its end.",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: { "tenant-id": tenantOption },
  routes: ["POST /v4/data/documents/classifiers/{classifierKey}/trainings"],
  examples: ["svc classifier train council-documents"],
  async run(input, context) {
    const { output, signal } = context;
    const params = { classifierKey: input.arguments["classifier-key"] };
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const queued = await client.classifiers.train({ params, signal });
    await output.data(queued, () => classifierLines(context, queued));
  },
});
