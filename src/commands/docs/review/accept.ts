import { command } from "../../command.ts";
import { decide, decisionArguments, decisionOptions, decisionRoute } from "./decide.ts";

export const docsReviewAcceptCommand = command({
  path: "docs review accept",
  summary: "Accept the best candidate of a label, or the value of a field",
  description: "Makes a new version of the document. An accepted label trains its classifier.",
  arguments: decisionArguments,
  options: decisionOptions,
  routes: [decisionRoute],
  async run(input, context) {
    const { documentId, target } = input.arguments;
    await decide(context, documentId, { action: "accept", target }, input.options);
  },
});
