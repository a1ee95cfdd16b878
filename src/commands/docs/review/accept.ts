import { command } from "../../kit/command.ts";
import { decide, decisionArguments, decisionOptions } from "./decide.ts";

export default command({
  path: "docs review accept",
  summary: "Accept the best candidate of a label, or the value of a field",
  description: "Makes a new version of the document. An accepted label trains its classifier.",
  arguments: decisionArguments,
  options: decisionOptions,
  calls: ["reviews.decide"],
  answer: "reviews.decide",
  trials: [
    { words: "{document} label", at: ["other"] },
    { words: "{document} fields.species", at: ["stub"] },
  ],
  async run(input, context) {
    const { documentId, target } = input.arguments;
    await decide(context, documentId, { action: "accept", target }, input.options);
  },
});
