import { given } from "#lib/given.ts";
import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import { attempted, CallClock, settle, type CallLimits } from "./calls.ts";
import type { Circuit } from "./circuit.ts";
import { streamErrorOf } from "./failures.ts";
import { ModelError } from "./model-error.ts";
import type {
  ChatModel,
  Generated,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ToolCall,
} from "./models.ts";

type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
type CallOptions = Parameters<LanguageModel["doStream"]>[0];
type Prompt = CallOptions["prompt"];
type StreamPart =
  Awaited<ReturnType<LanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;

interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: StreamPart | undefined }>;
  cancel(): Promise<void>;
}

const defaultTokens = 1_024;
/** An answer above this many characters ends as `length`; reasoning has the same bound. */
const charactersAtMost = 200_000;
const toolCallsAtMost = 16;
const inputCharactersAtMost = 20_000;

interface ChatModelOptions {
  readonly name: string;
  readonly circuit: Circuit;
  readonly limits: CallLimits;
  readonly open: () => Promise<LanguageModel>;
}

/** A chat model of an OpenAI-compatible endpoint. */
export class OpenAiChatModel implements ChatModel {
  readonly name: string;
  readonly #options: ChatModelOptions;

  constructor(options: ChatModelOptions) {
    this.name = options.name;
    this.#options = options;
  }

  stream(request: ModelRequest): AsyncGenerator<ModelPart, void, void> {
    return this.#stream(request, {});
  }

  async generate(request: ModelRequest): Promise<Generated> {
    return collected(this.#stream(request, {}));
  }

  async object<Value>(
    request: ModelRequest,
    { name, schema }: { readonly name: string; readonly schema: z.ZodType<Value> },
  ): Promise<Value> {
    const json = jsonSchemaOf(schema);
    const described: ModelRequest = {
      ...request,
      messages: [
        ...request.messages,
        {
          role: "user",
          content: `Answer with one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(json)}`,
        },
      ],
    };
    let fault = "";
    let isPlain = false;
    for (let tries = 0; tries < 3; tries += 1) {
      const asked = fault === "" ? described : repaired(described, fault);
      try {
        const { text } = await collected(
          this.#stream(
            asked,
            isPlain ? {} : { responseFormat: { type: "json", name, schema: json } },
          ),
        );
        const parsed = schema.safeParse(parsedJson(withoutFence(text)));
        if (parsed.success) return parsed.data;
        if (fault !== "") break;
        fault = z.prettifyError(parsed.error).slice(0, 2_000);
      } catch (error) {
        // Some endpoints do not have structured output; the schema is in the prompt too.
        if (!(error instanceof ModelError && error.failure === "refused") || isPlain) throw error;
        isPlain = true;
      }
    }
    throw new ModelError("malformed", { detail: "its JSON does not fit the schema" });
  }

  async *#stream(
    request: ModelRequest,
    more: Pick<CallOptions, "responseFormat">,
  ): AsyncGenerator<ModelPart, void, void> {
    const { circuit, open } = this.#options;
    const limits = {
      ...this.#options.limits,
      ...given({ totalMs: request.timeLimitMs }),
    };
    const clock = new CallClock(limits, request.signal);
    let reader: PartReader | undefined;
    let isSettled = false;
    try {
      const options = { ...callOptions(request), ...more, abortSignal: clock.signal };
      const begun = await attempted({ circuit, limits, clock }, async () => {
        const { stream } = await (await open()).doStream(options);
        const started = stream.getReader();
        // The first part is within the attempt: until then a retry repeats nothing.
        const first = await firstPart(started);
        return { started, first };
      });
      reader = begun.started;
      clock.heard();
      for await (const part of this.#parts(reader, begun.first, clock)) {
        // Its reader may stop at the last part.
        if (part.type === "end") {
          circuit.succeeded();
          isSettled = true;
        }
        yield part;
      }
    } catch (thrown) {
      const error = clock.failureOf(thrown);
      if (reader !== undefined) settle(circuit, error);
      isSettled = true;
      throw error;
    } finally {
      if (!isSettled) circuit.left();
      clock.end();
      reader?.cancel().catch(() => {});
    }
  }

  async *#parts(
    reader: PartReader,
    first: StreamPart,
    clock: CallClock,
  ): AsyncGenerator<ModelPart, void, void> {
    let characters = 0;
    let toolCalls = 0;
    let part: StreamPart | undefined = first;
    while (part !== undefined) {
      if (part.type === "error") throw streamErrorOf(part.error);
      if (part.type === "text-delta" || part.type === "reasoning-delta") {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        characters += part.delta.length;
        yield { type, text: part.delta };
        if (characters > charactersAtMost) {
          const usage = { inputTokens: undefined, outputTokens: undefined };
          yield { type: "end", finishReason: "length", usage };
          return;
        }
      }
      if (part.type === "tool-call") {
        toolCalls += 1;
        if (toolCalls > toolCallsAtMost || part.input.length > inputCharactersAtMost) {
          throw new ModelError("malformed", { detail: "it asks for too many tools" });
        }
        const { toolCallId: id, toolName: name } = part;
        yield { type: "tool-call", call: { id, name, input: parsedJson(part.input) } };
      }
      if (part.type === "finish") {
        yield endOf(part);
        return;
      }
      const next = await clock.within(reader.read());
      clock.heard();
      part = next.done ? undefined : next.value;
    }
    throw new ModelError("cut-off");
  }
}

/** The first part that says something; an error in its place is thrown. */
async function firstPart(reader: PartReader): Promise<StreamPart> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) throw new ModelError("cut-off");
    if (value.type === "error") {
      reader.cancel().catch(() => {});
      throw streamErrorOf(value.error);
    }
    if (value.type !== "stream-start" && value.type !== "response-metadata") return value;
  }
}

function endOf(part: Extract<StreamPart, { type: "finish" }>): ModelPart {
  const { unified } = part.finishReason;
  const isKnown = unified !== "error" && unified !== "interrupted";
  const { inputTokens, outputTokens } = part.usage;
  return {
    type: "end",
    finishReason: isKnown ? unified : "other",
    usage: { inputTokens: counted(inputTokens.total), outputTokens: counted(outputTokens.total) },
  };
}

/** An endpoint may send anything as a number. */
function counted(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
}

async function collected(parts: AsyncIterable<ModelPart>): Promise<Generated> {
  let text = "";
  let reasoning = "";
  const toolCalls: ToolCall[] = [];
  for await (const part of parts) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning") reasoning += part.text;
    else if (part.type === "tool-call") toolCalls.push(part.call);
    else {
      const { finishReason, usage } = part;
      return { text, reasoning, toolCalls, finishReason, usage };
    }
  }
  throw new ModelError("cut-off");
}

function callOptions({ messages, tools, maximumTokens, temperature }: ModelRequest): CallOptions {
  return {
    prompt: messages.map(promptMessage),
    maxOutputTokens: maximumTokens ?? defaultTokens,
    ...given({ temperature }),
    ...(tools === undefined || tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function" as const,
            name,
            description,
            inputSchema: jsonSchemaOf(input),
          })),
        }),
  };
}

function promptMessage(message: ModelMessage): Prompt[number] {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return {
        role: "user",
        content: [
          { type: "text", text: message.content },
          ...(message.images ?? []).map(({ mediaType, bytes }) => ({
            type: "file" as const,
            mediaType,
            data: { type: "data" as const, data: bytes },
          })),
        ],
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.content === "" ? [] : [{ type: "text" as const, text: message.content }]),
          ...(message.toolCalls ?? []).map(({ id, name, input }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.call.id,
            toolName: message.call.name,
            output: { type: "text", value: message.content },
          },
        ],
      };
  }
}

type JsonSchema = NonNullable<Extract<CallOptions["responseFormat"], { type: "json" }>["schema"]>;

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  // Two libraries' types of the same JSON Schema.
  return z.toJSONSchema(schema, { target: "draft-7" }) as JsonSchema;
}

function repaired(request: ModelRequest, fault: string): ModelRequest {
  const content = `The last JSON had faults. Send all of it again without them:\n${fault}`;
  return { ...request, messages: [...request.messages, { role: "user", content }] };
}

/** Models often put JSON into a Markdown fence. */
function withoutFence(text: string): string {
  const inside = /^\s*```(?:json)?\s*\n([^]*?)\n?```\s*$/.exec(text)?.[1];
  return (inside ?? text).trim();
}
