import type { Citation } from "#contract/chat.ts";

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

export interface AnswerMaterial {
  readonly question: string;
  /** Best first. */
  readonly passages: readonly CheckedPassage[];
  /** False when the question's scope has no indexed document. */
  readonly hasDocuments: boolean;
  readonly signal: AbortSignal;
}

/** The answer in parts. A marker such as `[1]` refers to a passage by its place, from 1. */
export type AnswerText = AsyncIterable<string> | Iterable<string>;

/** The port for engines that write answers, such as a language model. */
export interface AnswerEngine {
  readonly model: string;
  answer(material: AnswerMaterial): AnswerText;
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
