import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

const types = ["string", "number", "integer", "boolean", "date", "money"] as const;

export default command({
  path: "docs learn-rules",
  summary: "Get the rules of a field from documents in which its value is marked",
  description:
    "Each example is a document and the value as it writes it, such as " +
    "--example DOC-2026-000001='2 June 2026'; two documents of each layout are a good start. " +
    "The rules go into the file of `svc docs configure-type`. A rule that finds another text in " +
    "some example is left out; nothing is stored. The exit code is 1 when some value is not found.",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    type: { type: "string", values: types, default: "string", description: "Type of the field" },
    example: {
      ...textOption("document=value", "A document with its value; repeatable"),
      repeatable: true,
      required: true,
    },
  },
  calls: ["documentTypes.learnRules"],
  answer: "documentTypes.learnRules",
  trials: [{ words: "--example {document}=oak", after: ["docs job {job} --wait --timeout 20"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const { usageError } = await import("#cli/errors.ts");
    const examples = options.example.map((text) => {
      const [, documentId, value] = /^([^=]+)=(.*\S.*)$/su.exec(text) ?? [];
      if (documentId !== undefined && value !== undefined) return { documentId, value };
      throw usageError(`--example ${JSON.stringify(text)} must be a document, "=" and its value`);
    });
    const client = await context.client({ workspace: options["tenant-id"] });
    const body = { type: options.type, examples };
    const answer = await client.documentTypes.learnRules({ body, signal });
    await output.data(answer, () => [
      ...(answer.rules.length === 0
        ? [shown`No rule finds the values`]
        : answer.rules.map((rule) => shown`${JSON.stringify(rule)}`)),
      shown``,
      ...output.table(answer.examples, [
        { heading: "document", value: ({ documentId }) => documentId, whole: true },
        { heading: "found", value: ({ quote }) => quote ?? "nothing" },
        { heading: "page", value: ({ page }) => (page === null ? undefined : String(page)) },
        { heading: "confidence", value: ({ confidence }) => confidence.toFixed(2) },
      ]),
    ]);
    return answer.examples.every(({ quote }) => quote !== null) ? exitCodes.done : exitCodes.failed;
  },
});
