import { given } from "#lib/given.ts";
import { attempted, CallClock, defaultCallLimits, type CallLimits } from "./calls.ts";
import { OpenAiChatModel } from "./chat-model.ts";
import { Circuit, type CircuitOptions } from "./circuit.ts";
import { checkedEndpoint, type ModelEndpoint } from "./endpoint.ts";
import { ModelError } from "./model-error.ts";
import type { ChatModel, EmbeddingModel, Models } from "./models.ts";

export interface ModelOptions {
  readonly limits?: Partial<CallLimits> | undefined;
  readonly circuit?: CircuitOptions | undefined;
}

const textsAtATime = 64;
/** An embedding model reads about so much of a text. */
const charactersOfText = 8_000;
const dimensionsAtMost = 8_192;

/**
 * The models of an OpenAI-compatible endpoint. The provider of the AI SDK is loaded at the first
 * call. Throws a TypeError for an endpoint that must not be used.
 */
export function openAiModels(configured: ModelEndpoint, options: ModelOptions = {}): Models {
  const endpoint = checkedEndpoint(configured);
  const limits = { ...defaultCallLimits, ...options.limits };
  const circuit = new Circuit(options.circuit);
  const provider = lazyProvider(endpoint, limits);
  const chatNamed = (name: string): ChatModel =>
    new OpenAiChatModel({
      name,
      circuit,
      limits,
      open: async () => (await provider()).chatModel(name),
    });
  const { chatModel, visionModel, embeddingModel } = endpoint;
  return {
    chat: chatModel === undefined ? undefined : chatNamed(chatModel),
    vision: visionModel === undefined ? undefined : chatNamed(visionModel),
    embedding:
      embeddingModel === undefined
        ? undefined
        : openAiEmbeddings(embeddingModel, { circuit, limits, provider }),
    chatNamed,
    get circuit() {
      return circuit.state;
    },
  };
}

type Provider = Awaited<ReturnType<ReturnType<typeof lazyProvider>>>;

function lazyProvider({ baseUrl, apiKey }: ModelEndpoint, limits: CallLimits) {
  const load = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "model",
      baseURL: baseUrl,
      ...given({ apiKey }),
      fetch: boundedFetch(limits.responseBytes),
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return () => (loaded ??= load());
}

interface Calling {
  readonly circuit: Circuit;
  readonly limits: CallLimits;
  readonly provider: () => Promise<Provider>;
}

function openAiEmbeddings(name: string, { circuit, limits, provider }: Calling): EmbeddingModel {
  const batch = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    const clock = new CallClock(limits, signal);
    try {
      const vectors = await attempted({ circuit, limits, clock }, async () => {
        const model = (await provider()).embeddingModel(name);
        const values = texts.map((text) => text.slice(0, charactersOfText));
        const { embeddings } = await model.doEmbed({ values, abortSignal: clock.signal });
        if (embeddings.length !== texts.length) throw malformed("it has another number of vectors");
        return embeddings.map(unitVector);
      });
      circuit.succeeded();
      return vectors;
    } finally {
      clock.end();
    }
  };
  return {
    name,
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += textsAtATime) {
        vectors.push(...(await batch(texts.slice(start, start + textsAtATime), signal)));
      }
      const [first] = vectors;
      if (vectors.some(({ length }) => length !== first?.length)) {
        throw malformed("its vectors differ in size");
      }
      return vectors;
    },
  };
}

function unitVector(values: readonly number[]): Float32Array {
  const norm = Math.hypot(...values);
  if (values.length === 0 || values.length > dimensionsAtMost) {
    throw malformed(`a vector has ${values.length} numbers`);
  }
  if (!Number.isFinite(norm) || norm === 0) throw malformed("a vector has no direction");
  return Float32Array.from(values, (value) => value / norm);
}

function malformed(detail: string): ModelError {
  return new ModelError("malformed", { detail });
}

/**
 * A fetch for a model endpoint: it follows no redirect, which would carry the key elsewhere, and a
 * response ends with an error after `maximumBytes`.
 */
function boundedFetch(maximumBytes: number): typeof fetch {
  const send = async (
    input: Parameters<typeof fetch>[0],
    init?: Parameters<typeof fetch>[1],
  ): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelError("refused", { detail: "it redirects to another address" });
    }
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maximumBytes) {
            controller.error(new ModelError("malformed", { detail: "it is too long" }));
          } else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
  return Object.assign(send, { preconnect: fetch.preconnect });
}
