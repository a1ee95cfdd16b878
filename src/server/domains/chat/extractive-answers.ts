import type { AnswerEngine, AnswerMaterial } from "./answer-engine.ts";

/** Answers with quoted passages only, so that instructions inside documents have no effect. */
export const extractiveEngine: AnswerEngine = {
  model: "extractive",
  *answer({ passages, hasDocuments }: AnswerMaterial) {
    if (!hasDocuments) {
      yield "There is no indexed document to answer from.";
      return;
    }
    if (passages.length === 0) {
      yield "No passage was found that answers this question.";
      return;
    }
    const documents = new Set(passages.map(({ documentId }) => documentId)).size;
    yield documents === 1 ? "From 1 document:" : `From ${documents} documents:`;
    for (const [index, { quote }] of passages.entries()) yield `\n\n“${quote}” [${index + 1}]`;
  },
};
