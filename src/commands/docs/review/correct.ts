import { textOption } from "#cli/command.ts";
import { command } from "../../kit/command.ts";
import { decide, decisionArguments, decisionOptions } from "./decide.ts";

export default command({
  path: "docs review correct",
  summary: "Correct the label or a field of a document",
  description:
    "Makes a new version of the document, with the value before it in the history. A corrected " +
    "label trains its classifier, and the fields of its document type are read again.",
  arguments: decisionArguments,
  options: {
    ...decisionOptions,
    value: { ...textOption("value", "The right label or value"), excludes: ["none"] },
    none: { type: "boolean", description: "The document does not have the field" },
  },
  calls: ["reviews.decide"],
  answer: "reviews.decide",
  trials: [
    { words: "{document} label --value oak", at: ["other"] },
    { words: "{document} fields.species --value elm", at: ["stub"] },
  ],
  async run(input, context) {
    const { documentId, target } = input.arguments;
    const { value, none } = input.options;
    const { missingField } = await import("#cli/errors.ts");
    if (value === undefined && !none) throw missingField("--value");
    const body = { action: "correct", target, value: value ?? null } as const;
    await decide(context, documentId, body, input.options);
  },
});
