import type * as z from "zod";

export interface ModelImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The input that the model wrote: check it against the tool's own schema. */
  readonly input: unknown;
}

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ModelImage[] }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | { readonly role: "tool"; readonly call: ToolCall; readonly content: string };

/** A function that the model may ask for. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[] | undefined;
  /** The longest answer, in tokens. Default 1,024. */
  readonly maximumTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** Bounds the whole call with its retries. Default 120,000. */
  readonly timeLimitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tokens as the endpoint counted them; undefined when it did not. */
export interface ModelUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ToolCall }
  | {
      readonly type: "end";
      readonly finishReason: "stop" | "length" | "tool-calls" | "content-filter" | "other";
      readonly usage: ModelUsage;
    };

export interface Generated {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: Extract<ModelPart, { type: "end" }>["finishReason"];
  readonly usage: ModelUsage;
}

/** A language model. Every failure is a `ModelError`, except the abort of the caller's signal. */
export interface ChatModel {
  readonly name: string;
  /** The parts in order; `end` is the last one. Retries only before the first part. */
  stream(request: ModelRequest): AsyncGenerator<ModelPart, void, void>;
  generate(request: ModelRequest): Promise<Generated>;
  /** JSON that fits the schema. The model has one more try after a fault. */
  object<Value>(
    request: ModelRequest,
    expected: { readonly name: string; readonly schema: z.ZodType<Value> },
  ): Promise<Value>;
}

/** A model that makes vectors of texts. Fails like a `ChatModel`. */
export interface EmbeddingModel {
  readonly name: string;
  /** One vector of unit length for each text, all of one size. */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
}

export interface Models {
  readonly chat: ChatModel | undefined;
  /** The model that reads images. */
  readonly vision: ChatModel | undefined;
  readonly embedding: EmbeddingModel | undefined;
  /** Another chat model of the same endpoint; undefined without an endpoint. */
  chatNamed(name: string): ChatModel | undefined;
  /** `open` while calls are refused because the endpoint failed several times. */
  readonly circuit: "closed" | "open" | "half-open";
}

/** Used without an endpoint: answers are extractive. */
export const noModels: Models = {
  chat: undefined,
  vision: undefined,
  embedding: undefined,
  chatNamed: () => undefined,
  circuit: "closed",
};
