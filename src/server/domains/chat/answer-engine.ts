import type { Citation } from "#contract/chat.ts";

/** A passage that an answer may rest on: `quote` was checked to be that page's text at its span. */
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

/** What an engine has to answer from. */
export interface AnswerMaterial {
  readonly question: string;
  /** Best first. */
  readonly passages: readonly CheckedPassage[];
  /** False when nothing in the question's scope is indexed at all. */
  readonly hasDocuments: boolean;
  readonly signal: AbortSignal;
}

/** Text in the pieces in which it is said. Markers such as `[1]` name a passage by its place, from 1. */
export type AnswerText = AsyncIterable<string> | Iterable<string>;

/** The port for who puts answers into words: quoted passages, or a language model. */
export interface AnswerEngine {
  /** Shown as the reply's `model`. */
  readonly model: string;
  answer(material: AnswerMaterial): AnswerText;
}

/** The citation of a passage; its id is the marker's number. */
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
