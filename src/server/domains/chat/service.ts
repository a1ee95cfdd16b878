import type {
  ChatEvent,
  ChatReply,
  ChatRequest,
  Citation,
  conversationDetail,
  Conversation as ConversationBody,
} from "#contract/chat.ts";
import { defaultStage } from "#contract/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { splitGraphemes } from "#lib/terminal-text.ts";
import { citationOf, type AnswerEngine, type CheckedPassage } from "./answer-engine.ts";
import type { PlatformBase } from "../base.ts";
import {
  appendMessages,
  beginConversation,
  conversationById,
  messagesBefore,
  conversationPage,
  countConversations,
  countUserMessages,
} from "./store.ts";
import type { Conversation, Message } from "./store.ts";
import { retrieve } from "./retrieval.ts";
import { resolveChatScope } from "./scope.ts";
import { chatMessageOf, citationEvents, sourceEvents, conversationOf } from "./wire.ts";
import { type RecordLookup, isActive, type FoundRecord } from "../records/service.ts";
import { questionTerms } from "../documents/service.ts";
import { ListCursors } from "../../http/lists/cursors.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type * as z from "zod";
import type { Database } from "../../database/database.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";

const maximumMessages = 2_000;
const titleCharacters = 80;
/** A question with fewer terms refers to the question before it. */
const minimumTerms = 2;

export interface Asking {
  readonly workspaceId: string;
  readonly oid: string;
  readonly workflowId: string;
  readonly stage: string;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
}

type NewMessage = Omit<Message, "ordinal" | "createdAt">;

interface Prepared {
  readonly conversation: Conversation;
  readonly question: string;
  readonly passages: readonly CheckedPassage[];
  readonly hasDocuments: boolean;
}

/** Answers questions about a workspace's documents, and stores conversations (spec 2.10, 4.5). */
export class ChatService {
  readonly #base: PlatformBase;
  readonly #records: RecordLookup;
  readonly #engine: AnswerEngine;
  readonly conversations: Conversations;

  constructor(base: PlatformBase, options: { records: RecordLookup; engine: AnswerEngine }) {
    this.#base = base;
    this.#records = options.records;
    this.#engine = options.engine;
    const cursors = new ListCursors(base.secrets.for("chat list cursors"));
    this.conversations = new Conversations({ database: base.database, cursors });
  }

  /** The whole reply; question and answer are stored together. */
  async send(asking: Asking): Promise<ChatReply> {
    const prepared = await this.#prepare(asking);
    let content = "";
    for await (const text of this.#answer(prepared, asking.signal)) content += text;
    const citations = citationsOf(prepared.passages);
    const messages = [
      questionOf(asking),
      { id: Bun.randomUUIDv7(), role: "assistant", content, citations, status: "complete" },
    ] as const;
    const now = this.#base.now();
    await this.#append(prepared.conversation, messages, now);
    const message = chatMessageOf({ ...messages[1], createdAt: now.toISOString() });
    return {
      conversation_id: prepared.conversation.id,
      message,
      citations,
      finishReason: "stop",
      usage: {},
      model: this.#engine.model,
    };
  }

  /**
   * The reply as the AI SDK's UI message stream. Refusals come before the first event. The text
   * sent so far is stored when the caller disconnects.
   */
  async stream(asking: Asking): Promise<AsyncGenerator<{ readonly data: ChatEvent }, void, void>> {
    const prepared = await this.#prepare(asking);
    await this.#append(prepared.conversation, [questionOf(asking)], this.#base.now());
    return this.#events(asking, prepared);
  }

  async *#events(
    asking: Asking,
    prepared: Prepared,
  ): AsyncGenerator<{ readonly data: ChatEvent }, void, void> {
    const id = Bun.randomUUIDv7();
    const textId = "text";
    const metadata = { conversation_id: prepared.conversation.id, model: this.#engine.model };
    const citations = citationsOf(prepared.passages);
    let content = "";
    let isComplete = false;
    try {
      yield event({ type: "start", messageId: id, messageMetadata: metadata });
      yield event({ type: "text-start", id: textId });
      for await (const delta of this.#answer(prepared, asking.signal)) {
        content += delta;
        yield event({ type: "text-delta", id: textId, delta });
      }
      yield event({ type: "text-end", id: textId });
      for (const source of sourceEvents(prepared.passages)) yield event(source);
      for (const citation of citationEvents(citations)) yield event(citation);
      isComplete = true;
      await this.#store(prepared, { id, content, citations, status: "complete" });
      const messageMetadata = { ...metadata, usage: {} };
      yield event({ type: "finish", finishReason: "stop", messageMetadata });
    } finally {
      if (!isComplete) {
        // Each sent quote has its marker.
        const sent = citations.filter((citation) => content.includes(`[${citation.id}]`));
        await this.#store(prepared, { id, content, citations: sent, status: "incomplete" });
      }
    }
  }

  async #store({ conversation }: Prepared, answer: Omit<NewMessage, "role">): Promise<void> {
    await this.#append(conversation, [{ role: "assistant", ...answer }], this.#base.now());
  }

  async #append(
    conversation: Conversation,
    messages: readonly NewMessage[],
    now: Date,
  ): Promise<void> {
    await this.#base.database.write(async (writer) => {
      await beginConversation(writer, conversation, now);
      const stored = await conversationById(writer, conversation);
      // Another user may have taken the id since the first read.
      if (stored?.owner !== conversation.owner) throw new Refusal("not-found");
      await appendMessages(writer, conversation, messages, now);
    });
  }

  #answer(prepared: Prepared, signal: AbortSignal): AsyncIterable<string> | Iterable<string> {
    const { question, passages, hasDocuments } = prepared;
    return this.#engine.answer({ question, passages, hasDocuments, signal });
  }

  async #prepare(asking: Asking): Promise<Prepared> {
    const { workspaceId, request, signal } = asking;
    const { database } = this.#base;
    await requireStage(this.#records, workspaceId, asking);
    const scope = await resolveChatScope(database.read, this.#records, workspaceId, request);
    const conversation = await this.#conversationFor(asking);
    const question = await this.#question(conversation, request.message);
    const retrieved = await retrieve(database, scope, question, signal);
    return { conversation, question, ...retrieved };
  }

  /** The caller's conversation; a new one is stored with its first message. */
  async #conversationFor(asking: Asking): Promise<Conversation> {
    const { workspaceId, oid, workflowId, stage, request } = asking;
    const id = request.conversation_id ?? Bun.randomUUIDv7();
    const found =
      request.conversation_id === undefined
        ? undefined
        : await conversationById(this.#base.database.read, { workspaceId, id });
    // A conversation of another user is 404.
    if (found !== undefined && found.owner !== oid) throw new Refusal("not-found");
    if (found !== undefined && found.messageCount + 2 > maximumMessages) {
      throw new Refusal("conflict", {
        detail: `The conversation has ${maximumMessages} messages: start a new one`,
      });
    }
    const time = this.#base.now().toISOString();
    return (
      found ?? {
        workspaceId,
        id,
        owner: oid,
        workflowId,
        stage,
        title: titleOf(request.message),
        messageCount: 0,
        createdAt: time,
        updatedAt: time,
      }
    );
  }

  /** A short question such as "And when?" is combined with the question before it. */
  async #question(conversation: Conversation, message: string): Promise<string> {
    if (questionTerms(message).length >= minimumTerms || conversation.messageCount === 0) {
      return message;
    }
    const last = await messagesBefore(this.#base.database.read, conversation, 4);
    const asked = last.findLast(({ role }) => role === "user");
    return asked === undefined ? message : `${asked.content}\n${message}`;
  }
}

function questionOf({ request }: Asking): NewMessage {
  const content = request.message;
  return { id: Bun.randomUUIDv7(), role: "user", content, citations: [], status: "complete" };
}

function citationsOf(passages: readonly CheckedPassage[]): Citation[] {
  return passages.map((passage, index) => citationOf(passage, index + 1));
}

function event(data: ChatEvent): { readonly data: ChatEvent } {
  return { data };
}

/** The start of the question on one line, cut between graphemes. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  const characters = splitGraphemes(line);
  if (characters.length <= titleCharacters) return line;
  return `${characters.slice(0, titleCharacters - 1).join("")}…`;
}

/** Object Types that configure workflows, each with its key property (spec 2.9). */
const configurations = [
  ["shared-workflow-config", "workflow_key"],
  ["shared-workflow-config", "key"],
  ["vertical-product-config", "workflow_key"],
] as const;

/** Refuses with 404 unless the workspace has an active workflow with this key and stage. */
async function requireStage(
  records: RecordLookup,
  workspaceId: string,
  { workflowId, stage }: Pick<Asking, "workflowId" | "stage">,
): Promise<void> {
  const found: FoundRecord[] = [];
  for (const [objectType, field] of configurations) {
    found.push(...(await records.findRecords(workspaceId, objectType, { [field]: workflowId })));
    const workflow = found.find(isActive);
    if (workflow === undefined) continue;
    const stages = stagesOf(workflow);
    if (stages.includes(stage)) return;
    throw new Refusal("not-found", {
      detail:
        `The workflow ${JSON.stringify(workflowId)} has no stage ${JSON.stringify(stage)}: ` +
        `it has ${stages.join(", ")}`,
    });
  }
  const quoted = JSON.stringify(workflowId);
  throw new Refusal("not-found", {
    detail:
      found.length === 0
        ? `The workflow ${quoted} is not configured in this workspace`
        : `The workflow ${quoted} is not active in this workspace`,
  });
}

/** Maximum number of stages of one workflow; later ones are not looked at. */
const maximumStages = 100;

/** The ids of a workflow's stages; one that lists none has only the default stage. */
function stagesOf({ data }: FoundRecord): string[] {
  const listed: unknown = data["stages"];
  const stages = Array.isArray(listed) ? listed.slice(0, maximumStages) : [];
  const ids = stages.flatMap((stage: unknown) => {
    const id = isJsonObject(stage) ? stage["id"] : stage;
    return typeof id === "string" && id !== "" ? [id] : [];
  });
  return ids.length === 0 ? [defaultStage] : ids;
}

export type ConversationDetail = z.output<typeof conversationDetail>;

const defaultMessages = 100;

class Conversations {
  constructor(private readonly options: { database: Database; cursors: ListCursors }) {}

  async list(
    workspaceId: string,
    owner: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ConversationBody>> {
    const { read } = this.options.database;
    const pages = new ListPages(this.options.cursors, ["conversations", workspaceId, owner]);
    const start = pages.start(query);
    const after = madeAt(start.after);
    const rows = await conversationPage(read, {
      workspaceId,
      owner,
      limit: start.rows,
      offset: start.offset,
      after,
    });
    return pages.body(start, {
      rows,
      itemOf: conversationOf,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      total: query.count === true ? await countConversations(read, workspaceId, owner) : undefined,
    });
  }

  /** The number of questions to a workflow since a time (RFC 3339), of all users. */
  countQuestions(workspaceId: string, workflowId: string, since: string): Promise<number> {
    return countUserMessages(this.options.database.read, { workspaceId, workflowId, since });
  }

  /** The last messages, and with a cursor those before. 404 for another user's conversation. */
  async detail(
    key: { readonly workspaceId: string; readonly id: string },
    owner: string,
    query: Pick<ListQuery, "limit" | "cursor">,
  ): Promise<ConversationDetail> {
    const { read } = this.options.database;
    const conversation = await conversationById(read, key);
    if (conversation?.owner !== owner) throw new Refusal("not-found");
    const limit = Math.min(query.limit ?? defaultMessages, maximumPageLimit);
    const pages = new ListPages(this.options.cursors, ["messages", key.workspaceId, key.id]);
    const start = pages.start({ ...query, limit });
    const before = start.after === undefined ? undefined : Number(start.after[0]);
    const messages = await messagesBefore(read, conversation, start.rows, before);
    const { hasNextPage, nextCursor } = pages.envelope(start, {
      rows: messages.toReversed(),
      positionOf: ({ ordinal }) => [ordinal],
    });
    return {
      ...conversationOf(conversation),
      messages: messages.slice(-limit).map(chatMessageOf),
      hasNextPage,
      nextCursor,
    };
  }
}
