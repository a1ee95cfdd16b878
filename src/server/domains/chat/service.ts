import type { ChatEvent, ChatReply, ChatRequest, StopReceipt } from "#contract/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { splitGraphemes } from "#lib/terminal-text.ts";
import { ListCursors } from "../../http/lists/cursors.ts";
import { ModelError } from "../../models/model-error.ts";
import type { PlatformBase } from "../base.ts";
import { findTerms } from "../../text/terms/terms.ts";
import type { PassageFinder, PassageScope } from "../documents/service.ts";
import type { RecordLookup } from "../records/service.ts";
import type { AnswerEngine, AnswerMaterial } from "./answer-engine.ts";
import { answerSettings } from "./answer-settings.ts";
import { AnswerRuns, type RunLimits, type SentEvent } from "./answer-runs.ts";
import { Conversations } from "./conversations.ts";
import { toolsFor, type ToolAccess } from "./generative/tools.ts";
import {
  findSources,
  retrieve,
  type Retrieval,
  type Retrieved,
  type RetrieveOptions,
} from "./retrieval.ts";
import { SaidAnswer } from "./said-answer.ts";
import { resolveChatScope } from "./scope.ts";
import { appendMessages, beginConversation, conversationById, messagesBefore } from "./store.ts";
import type { Conversation, ConversationKey, Message } from "./store.ts";
import { chatMessageOf } from "./wire.ts";
import { requireStage } from "./workflow-stage.ts";

const maximumMessages = 2_000;
const titleCharacters = 80;
/** A question with fewer terms refers to the question before it. */
const minimumTerms = 2;
/** Earlier messages that a model sees, and characters of each. */
const historyMessages = 6;
const historyCharacters = 4_000;
/** Passages of one search by a model. */
const searchedSources = 6;

export interface Asking {
  readonly workspaceId: string;
  readonly oid: string;
  readonly workflowId: string;
  readonly stage: string;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
}

type NewMessage = Omit<Message, "ordinal" | "createdAt">;

/** A question for the search of passages. */
interface Question extends Pick<RetrieveOptions, "required"> {
  readonly text: string;
}

interface Prepared {
  readonly conversation: Conversation;
  readonly model: string;
  readonly material: Omit<AnswerMaterial, "signal">;
}

/** Answers questions about a workspace's documents, and stores conversations (spec 2.10, 4.5). */
export class ChatService {
  readonly #base: PlatformBase;
  readonly #records: RecordLookup;
  readonly #retrieval: Retrieval;
  readonly #engine: AnswerEngine;
  readonly #runs: AnswerRuns;
  readonly #access: ToolAccess | undefined;
  readonly conversations: Conversations;

  constructor(
    base: PlatformBase,
    options: {
      records: RecordLookup;
      passages: PassageFinder;
      engine: AnswerEngine;
      /** Without it a model has no tools. */
      access?: ToolAccess;
      limits?: Partial<RunLimits>;
    },
  ) {
    this.#base = base;
    this.#records = options.records;
    this.#retrieval = { database: base.database, passages: options.passages };
    this.#engine = options.engine;
    this.#access = options.access;
    this.#runs = new AnswerRuns(options.limits);
    const cursors = new ListCursors(base.secrets.for("chat list cursors"));
    this.conversations = new Conversations({ database: base.database, cursors, runs: this.#runs });
    base.lifetime.onDrain(() => this.#runs.stopAll());
  }

  /** The whole reply; question and answer are stored together. */
  async send(asking: Asking): Promise<ChatReply> {
    const prepared = await this.#prepare(asking);
    const { conversation } = prepared;
    using _held = this.#runs.hold(conversation, asking.oid);
    const said = new SaidAnswer(conversation.id, prepared.model);
    let status: Message["status"] = "complete";
    try {
      for await (const part of this.#parts(prepared, asking.signal)) {
        for (const _event of said.take(part));
      }
    } catch (error) {
      if (!(error instanceof ModelError) || asking.signal.aborted) throw error;
      // Its sentences so far are checked: they stay, as those of a stream do.
      for (const _event of said.take({ type: "end", ...said.end, finishReason: "error" }));
      status = "incomplete";
    }
    const answer = said.message(status);
    const now = this.#base.now();
    await this.#begin(conversation, [questionOf(asking), answer], now);
    return {
      conversation_id: conversation.id,
      message: chatMessageOf({ ...answer, createdAt: now.toISOString() }),
      citations: [...said.citations],
      ...said.end,
    };
  }

  /**
   * The reply as the AI SDK's UI message stream. Refusals come before the first event. The answer
   * goes on when its reader leaves, who may return to it for a while.
   */
  async stream(asking: Asking): Promise<AsyncGenerator<SentEvent, void, void>> {
    const prepared = await this.#prepare(asking);
    const { conversation } = prepared;
    using _held = this.#runs.hold(conversation, asking.oid);
    await this.#begin(conversation, [questionOf(asking)], this.#base.now());
    const said = new SaidAnswer(conversation.id, prepared.model);
    const run = this.#runs.start(conversation, asking.oid, said.id, (signal) =>
      this.#write(prepared, said, signal),
    );
    return run.read(undefined, asking.signal);
  }

  /** The events after `lastEventId` of the answer that is, or just was, under way. */
  async resume(
    key: ConversationKey,
    owner: string,
    from: { readonly lastEventId: string | undefined; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<SentEvent>> {
    await this.conversations.require(key, owner);
    return this.#runs.recent(key)?.read(from.lastEventId, from.signal) ?? noEvents();
  }

  async stop(key: ConversationKey, owner: string): Promise<StopReceipt> {
    await this.conversations.require(key, owner);
    return { conversation_id: key.id, stopped: await this.#runs.stop(key) };
  }

  async *#write(
    prepared: Prepared,
    said: SaidAnswer,
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent, void, void> {
    let status: Message["status"] = "incomplete";
    try {
      yield said.start();
      for await (const part of this.#parts(prepared, signal)) {
        if (signal.aborted) return;
        yield* said.take(part);
      }
      if (signal.aborted) return;
      yield* said.close();
      status = "complete";
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ModelError)) throw error;
      yield* said.close();
      yield { type: "error", errorText: error.message };
      return;
    } finally {
      await this.#base.database.write((writer) =>
        appendMessages(writer, prepared.conversation, [said.message(status)], this.#base.now()),
      );
    }
    yield said.finish();
  }

  #parts({ material }: Prepared, signal: AbortSignal) {
    return this.#engine.answer({ ...material, signal });
  }

  async #begin(
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

  async #prepare(asking: Asking): Promise<Prepared> {
    const { workspaceId, request, signal } = asking;
    const { database } = this.#base;
    const stage = await requireStage(this.#records, workspaceId, asking);
    const settings = await answerSettings(this.#records, workspaceId, stage);
    const scope = await resolveChatScope(database.read, this.#records, workspaceId, request);
    const conversation = await this.#conversationFor(asking);
    const earlier =
      conversation.messageCount === 0
        ? []
        : await messagesBefore(database.read, conversation, historyMessages);
    const { sources } = settings;
    const retrieved = await this.#retrieve(scope, questionsAfter(earlier, request.message), {
      sources,
      signal,
    });
    const tools =
      this.#access === undefined || !settings.usesTools
        ? []
        : await toolsFor(this.#access, asking, (query, toolSignal) =>
            findSources(this.#retrieval, scope, query, {
              sources: searchedSources,
              signal: toolSignal,
            }),
          );
    const history = earlier.map(({ role, content }) => ({
      role,
      content: content.slice(0, historyCharacters),
    }));
    const { message } = request;
    const material = { message, history, settings, tools, ...retrieved };
    return { conversation, model: this.#engine.modelOf(settings), material };
  }

  /** Asks the questions in order, until one has an answer. */
  async #retrieve(
    scope: PassageScope,
    [first, ...others]: readonly [Question, ...Question[]],
    limits: { readonly sources: number; readonly signal: AbortSignal },
  ): Promise<Retrieved> {
    const ask = ({ text, required }: Question): Promise<Retrieved> =>
      retrieve(this.#retrieval, scope, text, { ...limits, required });
    let found = await ask(first);
    for (const question of others) {
      if (found.passages.length > 0) break;
      found = await ask(question);
    }
    return found;
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
}

/**
 * A short question such as "And the hedge?" is combined with the question before it, and its answer
 * must have its own word. If there is none, it is asked alone.
 */
function questionsAfter(
  earlier: readonly Message[],
  message: string,
): readonly [Question, ...Question[]] {
  const alone = { text: message };
  const own = new Set(findTerms(message).map(({ term }) => term));
  const asked = earlier.findLast(({ role }) => role === "user");
  if (own.size >= minimumTerms || asked === undefined) return [alone];
  return [{ text: `${asked.content}\n${message}`, required: own }, alone];
}

function questionOf({ request }: Asking): NewMessage {
  const content = request.message;
  const id = Bun.randomUUIDv7();
  return { id, role: "user", content, citations: [], details: {}, status: "complete" };
}

async function* noEvents(): AsyncGenerator<SentEvent, void, void> {}

/** The start of the question on one line, cut between graphemes. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  const characters = splitGraphemes(line);
  if (characters.length <= titleCharacters) return line;
  return `${characters.slice(0, titleCharacters - 1).join("")}…`;
}
