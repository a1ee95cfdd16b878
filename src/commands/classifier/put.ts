import { textOption } from "#cli/command.ts";
import { catalogError } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { filePath, readJsonObject } from "../kit/input/data.ts";
import { classifierLines } from "./lines.ts";

/** Number of examples in one request. */
const examplesAtATime = 500;

export default command({
  path: "classifier put",
  summary: "Create or replace a classifier, and add examples",
  description:
    "The file has `displayName`, `description`, `status` (draft, active, retired), `threshold`, " +
    "`labels` and, if wanted, `examples` ({label, text}). Those that are not stored yet are " +
    "added. A training is queued.",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: {
    file: { ...textOption("path", "JSON file with the definition"), required: true },
    "tenant-id": tenantOption,
  },
  calls: ["classifiers.put", "classifiers.addExamples", "classifiers.get"],
  answer: "classifiers.put",
  trials: ["wood-{unique} --file classifier.json"],
  async run(input, context) {
    const { output, signal } = context;
    const params = { classifierKey: input.arguments["classifier-key"] };
    const file = filePath(input.options.file);
    const { examples = [], ...given } = await readJsonObject(context, { file });
    const { classifierDefinition, trainingExample } =
      await import("#contract/documents/classifiers.ts");
    const { checkedFile } = await import("../kit/input/checked-file.ts");
    const definition = checkedFile(classifierDefinition, given, file);
    if (!Array.isArray(examples)) {
      throw catalogError("E302", { details: `${file} /examples must be a list` });
    }
    const texts = examples.map((example: unknown, at) =>
      checkedFile(trainingExample, example, `${file} /examples/${at}`),
    );
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.classifiers.put({ params, body: definition, signal });
    for (let start = 0; start < texts.length; start += examplesAtATime) {
      const some = texts.slice(start, start + examplesAtATime);
      await client.classifiers.addExamples({ params, body: { examples: some }, signal });
    }
    const stored = await client.classifiers.get({ params, signal });
    await output.data(stored, () => classifierLines(context, stored));
  },
});
