import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { classifierLines } from "./lines.ts";

export default command({
  path: "classifier get",
  summary: "Show a classifier with its labels and the state of its model",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: { "tenant-id": tenantOption },
  calls: ["classifiers.get"],
  answer: "classifiers.get",
  examples: ["svc classifier get council-documents"],
  trials: [
    { words: "wood-{unique}", after: ["classifier put wood-{unique} --file classifier.json"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const params = { classifierKey: input.arguments["classifier-key"] };
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const found = await client.classifiers.get({ params, signal });
    await output.data(found, () => classifierLines(context, found));
  },
});
