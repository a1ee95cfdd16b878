import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { classifierLines } from "./lines.ts";

export default command({
  path: "classifier train",
  summary: "Train a classifier again from its examples",
  description: "Queues the training; `svc classifier get` shows its end.",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: { "tenant-id": tenantOption },
  calls: ["classifiers.train"],
  answer: "classifiers.train",
  examples: ["svc classifier train council-documents"],
  trials: [
    { words: "wood-{unique}", after: ["classifier put wood-{unique} --file classifier.json"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const params = { classifierKey: input.arguments["classifier-key"] };
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const queued = await client.classifiers.train({ params, signal });
    await output.data(queued, () => classifierLines(context, queued));
  },
});
