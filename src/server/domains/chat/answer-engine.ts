import type { ChatEvent, Citation } from "#contract/chat.ts";

/** A passage for an answer; `quote` equals the page's text at its span. */
export interface CheckedPassage {
  readonly documentId: string;
  readonly documentNumber: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** Between 0 and 1. */
  readonly score: number;
}

/** A question, and where answers may come from. */
export interface AnswerMaterial {
  readonly question: string;
  /** Best first. */
  readonly passages: readonly CheckedPassage[];
  /** False when the question's scope has no indexed document. */
  readonly hasDocuments: boolean;
  readonly signal: AbortSignal;
}

/** A tool that the model used, as the stream reports it. */
export interface UsedTool {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Tokens as the endpoint counted them; empty for quotes. */
export type AnswerUsage = Readonly<Record<string, number>>;

/** One step of an answer. A marker such as `[1]` in the text refers to a citation by its id. */
export type AnswerPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool"; readonly tool: UsedTool }
  | { readonly type: "tool-result"; readonly id: string; readonly output: unknown }
  | { readonly type: "citation"; readonly citation: Citation; readonly mediaType: string }
  | {
      readonly type: "unsupported";
      readonly data: Extract<ChatEvent, { type: "data-unsupported" }>["data"];
    }
  | {
      readonly type: "end";
      readonly model: string;
      readonly finishReason: string;
      readonly usage: AnswerUsage;
    };

/** The port for engines that write answers, such as a language model. `end` is the last part. */
export interface AnswerEngine {
  readonly model: string;
  answer(material: AnswerMaterial): AsyncIterable<AnswerPart> | Iterable<AnswerPart>;
}

/** The citation of a passage; its id is the number of the marker. */
export function citationOf(passage: CheckedPassage, place: number): Citation {
  return {
    id: String(place),
    documentId: passage.documentId,
    documentNumber: passage.documentNumber,
    filename: passage.filename,
    page: passage.page,
    span: { start: passage.start, end: passage.end },
    quote: passage.quote,
    score: passage.score,
  };
}
