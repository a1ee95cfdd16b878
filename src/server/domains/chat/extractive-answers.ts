import {
  citationOf,
  type AnswerEngine,
  type AnswerMaterial,
  type AnswerPart,
} from "./answer-engine.ts";

const model = "extractive";

/** Answers with quoted passages only, so that instructions inside documents have no effect. */
export const extractiveEngine: AnswerEngine = {
  modelOf: () => model,
  *answer({ passages, hasDocuments }: AnswerMaterial): Generator<AnswerPart> {
    yield { type: "text", text: openingOf(passages, hasDocuments) };
    for (const [index, passage] of passages.entries()) {
      const { quote, mediaType } = passage;
      yield { type: "text", text: `\n\n“${quote}” [${index + 1}]` };
      yield { type: "citation", citation: citationOf(passage, index + 1), mediaType };
    }
    yield { type: "end", model, finishReason: "stop", usage: {} };
  },
};

function openingOf(passages: AnswerMaterial["passages"], hasDocuments: boolean): string {
  if (!hasDocuments) return "There is no indexed document to answer from.";
  if (passages.length === 0) return "No passage was found that answers this question.";
  const documents = new Set(passages.map(({ documentId }) => documentId)).size;
  return documents === 1 ? "From 1 document:" : `From ${documents} documents:`;
}
