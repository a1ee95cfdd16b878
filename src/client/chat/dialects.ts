import type { Citation } from "#contract/documents/chat.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";

/** A source of an answer, in addition to cited passages. */
export interface ChatSource {
  readonly id: string;
  readonly title: string | undefined;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}

/** One event of a stream, equal for every deployment. The last event is always `finish`. */
export type ChatStreamEvent =
  | { readonly type: "text"; readonly text: string }
  /** The thoughts of a model before its answer; they are not part of it. */
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  /** A passage near a question that has no answer. */
  | { readonly type: "nearest"; readonly citation: Citation }
  | { readonly type: "source"; readonly source: ChatSource }
  | { readonly type: "error"; readonly error: CatalogError }
  | { readonly type: "unknown"; readonly name: string; readonly value: unknown }
  | ({ readonly type: "finish" } & ChatFinish);

/** The end of a stream. */
export interface ChatFinish {
  /** True only after `[DONE]` without error and abort; otherwise the answer is incomplete. */
  readonly complete: boolean;
  readonly reason: "done" | "incomplete" | "aborted" | "error";
  readonly finishReason: string | undefined;
  readonly conversationId: string;
  readonly model: string | undefined;
  readonly messageId: string | undefined;
  /** The `id:` of the last event, from which `resume` continues. */
  readonly lastEventId: string | undefined;
}

/** One part of a chat response; citations are not checked yet. */
export type ChatPart =
  | Extract<ChatStreamEvent, { type: "text" | "reasoning" | "source" | "unknown" }>
  | { readonly type: "citation"; readonly value: unknown }
  | { readonly type: "nearest"; readonly value: unknown }
  | { readonly type: "failure"; readonly words: string }
  | { readonly type: "abort" }
  | { readonly type: "facts"; readonly facts: Facts };

type Facts = Partial<
  Pick<ChatFinish, "finishReason" | "model" | "messageId" | "conversationId" | "lastEventId">
>;
type Members = ReadonlyMap<string, unknown>;

const maximumReplyBytes = 16 * 1024 * 1024;
const replyBodyMs = 120_000;

/** The parts of an event: UI message stream of the AI SDK (v1), OpenAI-style chunk, or text. */
export function* chatParts(name: string | undefined, data: string): Generator<ChatPart> {
  const value = parsedJson(data);
  const members = membersOf(value);
  if (members === undefined) {
    // Bare text, or a JSON string; a bare number or list is text too.
    yield { type: "text", text: typeof value === "string" ? value : data };
    return;
  }
  const type = members.get("type");
  if (typeof type === "string") yield* uiParts(type, members, value);
  else if (Array.isArray(members.get("choices"))) yield* chunkParts(members);
  else if (members.has("error")) yield { type: "failure", words: words(members.get("error")) };
  else yield* plainParts(name, members, value);
}

/** The parts of an answer in one body: a reply as JSON, or with `isText` also a bare text. */
export async function readBody(response: Response, isText: boolean): Promise<ChatPart[]> {
  const body = await readBoundedText(response, maximumReplyBytes, { limitMs: replyBodyMs });
  const value = parsedJson(body);
  if (isText && value === undefined && body !== "") return [{ type: "text", text: body }];
  const reply = membersOf(value);
  if (reply === undefined) throw notReply();
  if (Array.isArray(reply.get("choices"))) return [...chunkParts(reply)];
  const message = membersOf(reply.get("message")) ?? reply;
  const citations = reply.get("citations") ?? message.get("citations");
  const nearest = reply.get("nearest") ?? message.get("nearest");
  const said = text(message.get("content"));
  // Other JSON, e.g. from a proxy, is not an empty answer.
  if (said === undefined && !Array.isArray(citations)) throw notReply();
  return [
    ...factsOf(reply, message),
    { type: "text", text: said ?? "" },
    ...listOf(citations).map((value): ChatPart => ({ type: "citation", value })),
    ...listOf(nearest).map((value): ChatPart => ({ type: "nearest", value })),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function notReply(): CatalogError {
  return catalogError("E203", { details: "the response is not a chat reply" });
}

function* uiParts(type: string, part: Members, value: unknown): Generator<ChatPart> {
  switch (type) {
    case "start": {
      const messageId = text(part.get("messageId"));
      yield* factsOf(membersOf(part.get("messageMetadata")));
      if (messageId !== undefined) yield { type: "facts", facts: { messageId } };
      return;
    }
    case "text-delta":
      yield { type: "text", text: text(part.get("delta")) ?? "" };
      return;
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
    case "start-step":
    case "finish-step":
      return;
    case "reasoning-delta":
      yield { type: "reasoning", text: text(part.get("delta")) ?? "" };
      return;
    case "data-citation":
      yield { type: "citation", value: part.get("data") };
      return;
    case "data-nearest":
      yield { type: "nearest", value: part.get("data") };
      return;
    case "source-document":
    case "source-url":
      yield { type: "source", source: sourceOf(part) };
      return;
    case "error":
      yield { type: "failure", words: words(part.get("errorText") ?? part.get("error")) };
      return;
    case "abort":
      yield { type: "abort" };
      return;
    case "finish":
    case "message-metadata":
      yield* factsOf(part, membersOf(part.get("messageMetadata")));
      return;
    default:
      yield { type: "unknown", name: type, value };
  }
}

function* chunkParts(chunk: Members): Generator<ChatPart> {
  yield* factsOf(chunk);
  const choices = chunk.get("choices");
  const choice = membersOf(Array.isArray(choices) ? choices[0] : undefined);
  const delta = membersOf(choice?.get("delta")) ?? membersOf(choice?.get("message"));
  const content = text(delta?.get("content")) ?? text(choice?.get("text"));
  if (content !== undefined) yield { type: "text", text: content };
  const finishReason = text(choice?.get("finish_reason"));
  if (finishReason !== undefined) yield { type: "facts", facts: { finishReason } };
  if (chunk.has("error")) yield { type: "failure", words: words(chunk.get("error")) };
}

/** Events without a type: only common members are read. */
function* plainParts(name: string | undefined, part: Members, value: unknown): Generator<ChatPart> {
  yield* factsOf(part);
  const said = text(part.get("delta")) ?? text(part.get("text")) ?? text(part.get("content"));
  if (said !== undefined) yield { type: "text", text: said };
  else yield { type: "unknown", name: name ?? "message", value };
}

function* factsOf(...parts: readonly (Members | undefined)[]): Generator<ChatPart> {
  for (const part of parts) {
    if (part === undefined) continue;
    const facts = {
      finishReason: text(part.get("finishReason")),
      model: text(part.get("model")),
      conversationId: text(part.get("conversation_id")) ?? text(part.get("conversationId")),
    };
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    if (known.length > 0) yield { type: "facts", facts: Object.fromEntries(known) };
  }
}

function sourceOf(part: Members): ChatSource {
  return {
    id: text(part.get("sourceId")) ?? "",
    title: text(part.get("title")),
    mediaType: text(part.get("mediaType")),
    filename: text(part.get("filename")),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function words(value: unknown): string {
  if (typeof value === "string") return value;
  const members = membersOf(value);
  return text(members?.get("message")) ?? text(members?.get("detail")) ?? "the platform failed";
}
