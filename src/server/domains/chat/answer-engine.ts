import type * as z from "zod";
import type { ChatEvent, Citation } from "#contract/documents/chat.ts";
import type { JsonObject } from "#contract/values.ts";
import type { AnswerSettings } from "./answer-settings.ts";

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
  /** A number between 0 and 1. */
  readonly score: number;
}

/** A passage that a model may use; `text` equals the page's text at its span. */
export type AnswerSource = Omit<CheckedPassage, "quote"> & { readonly text: string };

/** A tool with its effect. */
export interface AnswerTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  run(input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface ToolResult {
  readonly sources: readonly AnswerSource[];
  readonly records: readonly JsonObject[];
  /** The text that the user sees. */
  readonly summary: unknown;
}

/** A question, and the sources of its answer. */
export interface AnswerMaterial {
  /** The text that the user wrote. */
  readonly message: string;
  /** The earlier messages, oldest first. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly settings: AnswerSettings;
  /** The passages that a model may use, best first. */
  readonly sources: readonly AnswerSource[];
  readonly tools: readonly AnswerTool[];
  /** Sentences for an answer of quotes, best first. */
  readonly passages: readonly CheckedPassage[];
  /** The best sentences for a question without an answer. */
  readonly nearest: readonly CheckedPassage[];
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
  | { readonly type: "nearest"; readonly citation: Citation }
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
  /** The model that will answer. */
  modelOf(settings: AnswerSettings): string;
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
