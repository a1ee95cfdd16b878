import type { Classification } from "../../text/classification/classify-text.ts";

/** A classification with what decided it. */
export interface DecidedClassification extends Omit<Classification, "method"> {
  readonly method: Classification["method"] | "chat-model";
  /** The chat model that decided. */
  readonly chatModel?: string;
  /** Why a chat model that was asked did not answer. */
  readonly modelError?: string;
  /** The classifier; null in a workspace without an active one. */
  readonly classifier: string | null;
  /** The version of its model; null when it had none. */
  readonly modelVersion: number | null;
  /** The confidence that the best label had to reach. */
  readonly threshold: number;
}
