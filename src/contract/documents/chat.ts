import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { feedPlace, fixedListQuery, listBody, listQuery } from "../lists.ts";
import { members, json, replies, repliesEvents, route } from "../route.ts";
import { jsonObject, storedId, tenantParams, timestamp, uuid } from "../values.ts";

export const defaultStage = "chat";

const name = z.string().min(1).max(255);

/** Document and record ids travel in `params`, never addresses of files. */
const chatRequest = z
  .strictObject({
    message: z.string().trim().min(1).max(32_000),
    conversation_id: storedId.optional(),
    params: jsonObject.optional(),
    runtime_context: jsonObject.optional(),
  })
  .meta({ id: "ChatRequest" });
/** A message to a workflow; `conversation_id` continues a conversation (spec 2.10). */
export type ChatRequest = z.output<typeof chatRequest>;

export const citation = z
  .looseObject({
    id: z.string(),
    documentId: named(z.string()),
    documentNumber: z.string().optional(),
    filename: z.string().optional(),
    page: z.int().optional(),
    span: z.looseObject({ start: z.int(), end: z.int() }).optional(),
    quote: named(z.string()),
    score: z.number().optional(),
  })
  .meta({ id: "Citation" });
/** A passage that supports an answer: `quote` is verbatim text of its `page`. */
export type Citation = z.output<typeof citation>;

/** A sentence of an answer that no cited passage supports; the text marks it with `[?]`. */
const unsupported = z.looseObject({
  /** UTF-16 offsets in the answer's text. */
  span: z.looseObject({ start: z.int(), end: z.int() }),
  reason: z.string(),
});

const chatMessage = z
  .looseObject({
    content: alsoNamed(z.string(), "text"),
    role: z.string(),
    id: z.string().optional(),
    parts: z.array(z.looseObject({ type: z.string() })).optional(),
    citations: z.array(citation).optional(),
    /** The nearest passages of a question without an answer; they do not support its text. */
    nearest: z.array(citation).optional(),
    /** `complete`, or `incomplete` for an answer that was cut off. */
    status: z.string().optional(),
    /** The model of an answer; `extractive` without one. */
    model: z.string().optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "ChatMessage" });
/** One message of a stored conversation, in Markdown, with its citations. */
export type ChatMessage = z.output<typeof chatMessage>;

export const chatReply = z
  .looseObject({
    conversation_id: z.string(),
    message: otherwise(chatMessage, "chat message"),
    citations: z.array(citation).optional(),
    nearest: z.array(citation).optional(),
    finishReason: z.string().optional(),
    usage: z.record(z.string(), z.unknown()).optional(),
    model: z.string().optional(),
  })
  .meta({ id: "ChatReply" });
/** A whole answer; `model` is `extractive` when it only quotes, without a model (spec 4.5). */
export type ChatReply = z.output<typeof chatReply>;

/** One part of the AI SDK's UI message stream, version 1; unknown kinds are kept. */
export const chatEvent = z
  .union([
    z.looseObject({
      type: z.literal("start"),
      messageId: z.string().optional(),
      messageMetadata: jsonObject.optional(),
    }),
    z.looseObject({ type: z.literal("text-start"), id: z.string() }),
    z.looseObject({ type: z.literal("text-delta"), id: z.string(), delta: z.string() }),
    z.looseObject({ type: z.literal("text-end"), id: z.string() }),
    z.looseObject({ type: z.literal("reasoning-start"), id: z.string() }),
    z.looseObject({ type: z.literal("reasoning-delta"), id: z.string(), delta: z.string() }),
    z.looseObject({ type: z.literal("reasoning-end"), id: z.string() }),
    z.looseObject({
      type: z.literal("tool-input-available"),
      toolCallId: z.string(),
      toolName: z.string(),
      input: z.unknown(),
    }),
    z.looseObject({
      type: z.literal("tool-output-available"),
      toolCallId: z.string(),
      output: z.unknown(),
    }),
    z.looseObject({
      type: z.literal("source-document"),
      sourceId: z.string(),
      mediaType: z.string(),
      title: z.string(),
      filename: z.string().optional(),
    }),
    z.looseObject({ type: z.literal("data-citation"), id: z.string().optional(), data: citation }),
    z.looseObject({ type: z.literal("data-nearest"), id: z.string().optional(), data: citation }),
    z.looseObject({
      type: z.literal("data-unsupported"),
      id: z.string().optional(),
      data: unsupported,
    }),
    z.looseObject({ type: z.literal("error"), errorText: z.string() }),
    z.looseObject({ type: z.literal("abort"), reason: z.string().optional() }),
    z.looseObject({
      type: z.literal("finish"),
      finishReason: z.string().optional(),
      messageMetadata: jsonObject.optional(),
    }),
  ])
  .meta({ id: "ChatEvent" });
export type ChatEvent = z.output<typeof chatEvent>;

export const conversation = z
  .looseObject({
    conversation_id: alsoNamed(z.string(), "id"),
    title: z.string().optional(),
    workflowId: z.string().optional(),
    stage: z.string().optional(),
    messageCount: z.int().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "Conversation" });
/** A stored conversation, without its messages. */
export type Conversation = z.output<typeof conversation>;

/** The last messages, oldest first; `nextCursor` leads to earlier ones. */
export const conversationDetail = conversation
  .extend({
    messages: z.array(chatMessage),
    hasNextPage: z.boolean().optional(),
    nextCursor: z.string().nullable().optional(),
    ...feedPlace,
  })
  .meta({ id: "ConversationDetail" });

const renaming = z
  .strictObject({ title: z.string().trim().min(1).max(200) })
  .meta({ id: "ConversationRenaming" });

const conversationDeletion = z
  .looseObject({
    conversation_id: z.string().optional(),
    /** Number of messages that were removed. */
    messages: z.int().optional(),
  })
  .meta({ id: "ConversationDeletion" });
/** The receipt of a deleted conversation. */
export type ConversationDeletion = z.output<typeof conversationDeletion>;

const stopReceipt = z
  .looseObject({
    conversation_id: z.string().optional(),
    /** False when no answer was under way. */
    stopped: z.boolean(),
  })
  .meta({ id: "StoppedAnswer" });
/** True if a running answer was stopped. */
export type StopReceipt = z.output<typeof stopReceipt>;

const conversationParams = z.object({ tenantId: uuid, conversationId: storedId });
const chatParams = z.object({ tenantId: uuid, workflowId: name, stage: name });

export const chatRoutes = {
  send: route.post("/v4/ai/chat/{tenantId}/{workflowId}/{stage}", {
    summary: "One chat reply",
    ...members("tenant-staff", "path", "spec 4.5"),
    params: chatParams,
    body: json(chatRequest),
    adds: true,
    reply: replies(chatReply),
  }),
  stream: route.post("/v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}", {
    summary: "A chat reply as server-sent events that end with [DONE]",
    ...members("tenant-staff", "path", "spec 4.5, 6.1"),
    params: chatParams,
    body: json(chatRequest),
    adds: true,
    reply: repliesEvents(chatEvent),
  }),
  conversations: route.get("/v4/ai/chat/{tenantId}/conversations", {
    summary: "The caller's conversations, newest first",
    ...members("tenant-staff", "path", "chat conventions"),
    params: tenantParams,
    query: fixedListQuery,
    reply: replies(listBody(conversation)),
  }),
  conversation: route.get("/v4/ai/chat/{tenantId}/conversations/{conversationId}", {
    summary: "One conversation with its last messages; the cursor leads to earlier ones",
    ...members("tenant-staff", "path", "chat conventions"),
    params: conversationParams,
    query: listQuery.pick({ limit: true, cursor: true }),
    reply: replies(conversationDetail),
  }),
  rename: route.patch("/v4/ai/chat/{tenantId}/conversations/{conversationId}", {
    summary: "Change the title of a conversation",
    ...members("tenant-staff", "path", "chat conventions"),
    params: conversationParams,
    body: json(renaming),
    reply: replies(conversation),
  }),
  deleteConversation: route.delete("/v4/ai/chat/{tenantId}/conversations/{conversationId}", {
    summary: "Delete a conversation with its messages; a running answer stops",
    ...members("tenant-staff", "path", "chat conventions"),
    params: conversationParams,
    reply: replies(conversationDeletion),
  }),
  /** Sends `[DONE]` at once if no platform answers: the conversation has the whole text. */
  resume: route.get("/v4/ai/chat/{tenantId}/conversations/{conversationId}/stream", {
    summary: "The events of the running answer, after `Last-Event-ID`",
    ...members("tenant-staff", "path", "chat conventions, WHATWG server-sent events"),
    params: conversationParams,
    reply: repliesEvents(chatEvent),
  }),
  stop: route.post("/v4/ai/chat/{tenantId}/conversations/{conversationId}/stop", {
    summary: "Stop the running answer; its text so far is kept",
    ...members("tenant-staff", "path", "chat conventions"),
    params: conversationParams,
    reply: replies(stopReceipt),
  }),
};
