import type { ChatEvent, ChatReply, ChatRequest, StopReceipt } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { splitGraphemes } from "#lib/text/terminal.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import { ModelError } from "../../models/model-error.ts";
import type { PlatformBase } from "../base.ts";
import { findTerms } from "../../text/terms/terms.ts";
import type { Work } from "../../work/work.ts";
import type { PassageFinder } from "../documents/service.ts";
import type { RecordLookup } from "../records/service.ts";
import type { WorkflowGate } from "../workflow-gate.ts";
import type { AnswerEngine, AnswerMaterial } from "./answer-engine.ts";
import { answerSettings } from "./answer-settings.ts";
import {
  AnswerRuns,
  defaultRunLimits,
  type ReadFrom,
  type RunLimits,
  type SentEvent,
} from "./answer-runs.ts";
import { Conversations } from "./conversations.ts";
import { toolsFor, type ToolAccess } from "./generative/tools.ts";
import { findSources, retrieve, type Retrieved, type RetrieveOptions } from "./retrieval.ts";
import { SharedAnswers } from "./platforms/shared-answers.ts";
import { SaidAnswer } from "./said-answer.ts";
import { resolveChatScope, type ChatScope } from "./scope.ts";
import { appendMessages, beginConversation, conversationById, messagesBefore } from "./store.ts";
import type { Conversation, ConversationKey, Message } from "./store.ts";
import { chatMessageOf } from "./wire.ts";
import { requireStage, type FindRecords } from "./workflow-stage.ts";

export { eraseQuotes } from "./erased-quotes.ts";

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
  /** The last check of the workflow's limit, for the transaction that stores the question. */
  readonly admit: Awaited<ReturnType<WorkflowGate>>;
}

/** Answers questions about a workspace's documents, and stores conversations (spec 2.10, 4.5). */
export class ChatService {
  readonly #now: () => Date;
  readonly #records: RecordLookup;
  readonly #passages: PassageFinder;
  readonly #engine: AnswerEngine;
  readonly #gate: WorkflowGate;
  readonly #runs: AnswerRuns;
  readonly #access: ToolAccess | undefined;
  readonly conversations: Conversations;

  constructor(
    base: Pick<
      PlatformBase,
      "now" | "secrets" | "lifetime" | "logger" | "platformWork" | "database" | "feed"
    >,
    options: {
      readonly records: RecordLookup;
      readonly passages: PassageFinder;
      readonly engine: AnswerEngine;
      /** Every workflow may be used without it. */
      readonly gate?: WorkflowGate;
      /** The searches that a model may use; none by default. */
      readonly access?: ToolAccess;
      readonly limits?: Partial<RunLimits>;
    },
  ) {
    this.#now = base.now;
    this.#records = options.records;
    this.#passages = options.passages;
    this.#engine = options.engine;
    this.#gate = options.gate ?? (() => Promise.resolve(undefined));
    this.#access = options.access;
    const limits = { ...defaultRunLimits, ...options.limits };
    const isAlone = base.database.dialect === "sqlite";
    const shared = isAlone ? undefined : new SharedAnswers(base, limits);
    this.#runs = new AnswerRuns(limits, shared);
    const cursors = new ListCursors(base.secrets.for("chat list cursors"));
    this.conversations = new Conversations({ cursors, runs: this.#runs });
    base.lifetime.onDrain(() => this.#runs.stopAll());
  }

  /** The whole reply; question and answer are stored together. */
  async send(work: Work, asking: Asking): Promise<ChatReply> {
    const prepared = await this.#prepare(work, asking);
    const { conversation } = prepared;
    // An empty id: nothing of a whole reply is sent before its end.
    await using _held = await this.#runs.hold(conversation, conversation.owner, "");
    const said = new SaidAnswer(conversation.id, prepared.model);
    let status: Message["status"] = "complete";
    try {
      for await (const part of this.#parts(prepared, asking.signal)) {
        for (const _event of said.take(part));
      }
    } catch (error) {
      if (!(error instanceof ModelError) || asking.signal.aborted) throw error;
      // The sentences so far are checked, so they stay, as in a stream.
      for (const _event of said.take({ type: "end", ...said.end, finishReason: "error" }));
      status = "incomplete";
    }
    const answer = said.message(status);
    const now = this.#now();
    await begin(work, prepared, [questionOf(asking), answer], now);
    return {
      conversation_id: conversation.id,
      message: chatMessageOf({ ...answer, createdAt: now.toISOString() }),
      citations: [...said.citations],
      ...(said.nearest.length === 0 ? {} : { nearest: [...said.nearest] }),
      ...said.end,
    };
  }

  /**
   * The reply as the AI SDK's UI message stream. Refusals come before the first event. The answer
   * goes on when its reader leaves, who may return to it for a while.
   */
  async stream(work: Work, asking: Asking): Promise<AsyncGenerator<SentEvent, void, void>> {
    const prepared = await this.#prepare(work, asking);
    const { conversation } = prepared;
    const { owner } = conversation;
    const said = new SaidAnswer(conversation.id, prepared.model);
    await using held = await this.#runs.hold(conversation, owner, said.id);
    await begin(work, prepared, [questionOf(asking)], this.#now());
    const run = held.start((signal) => this.#write(work, prepared, said, signal));
    return run.read(undefined, asking.signal);
  }

  /** The events after `lastEventId` of the answer that is, or just was, under way. */
  async resume(
    work: Work,
    key: ConversationKey,
    from: ReadFrom,
  ): Promise<AsyncIterable<SentEvent>> {
    await this.conversations.require(work, key);
    return this.#runs.resume(key, from);
  }

  async stop(work: Work, key: ConversationKey): Promise<StopReceipt> {
    await this.conversations.require(work, key);
    return { conversation_id: key.id, stopped: await this.#runs.stop(key) };
  }

  async *#write(
    work: Work,
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
      await work.write(async (tx) => {
        if (!(await this.#runs.holds(tx, prepared.conversation, said.id))) return;
        await appendMessages(tx, prepared.conversation, [said.message(status)], this.#now());
      });
    }
    yield said.finish();
  }

  #parts({ material }: Prepared, signal: AbortSignal) {
    return this.#engine.answer({ ...material, signal });
  }

  async #prepare(work: Work, asking: Asking): Promise<Prepared> {
    const { workspaceId, request, signal } = asking;
    const findRecords: FindRecords = (type, where) =>
      this.#records.findRecords(work, workspaceId, type, where);
    const { workflowId } = asking;
    const admit = await this.#gate(work, workspaceId, { workflow_key: workflowId });
    const stage = await requireStage(findRecords, asking);
    const settings = await answerSettings(findRecords, stage);
    const scope = await resolveChatScope(work, this.#records, workspaceId, request);
    const conversation = await this.#conversationFor(work, asking);
    const earlier =
      conversation.messageCount === 0
        ? []
        : await messagesBefore(work.read, conversation, historyMessages);
    const questions = questionsAfter(earlier, request.message);
    const limits = { sources: settings.sources, signal };
    const retrieved = await this.#retrieve(work, scope, questions, limits);
    const findMore = (query: string, toolSignal: AbortSignal) => {
      const options = { sources: searchedSources, signal: toolSignal };
      return findSources(work, this.#passages, scope, query, options);
    };
    const tools =
      this.#access === undefined || !settings.usesTools
        ? []
        : await toolsFor(work, this.#access, workspaceId, findMore);
    const history = earlier.map(({ role, content }) => ({
      role,
      content: content.slice(0, historyCharacters),
    }));
    const { message } = request;
    const material = { message, history, settings, tools, ...retrieved };
    return { conversation, model: this.#engine.modelOf(settings), material, admit };
  }

  /** Asks the questions in order, until one has an answer. */
  async #retrieve(
    work: Work,
    scope: ChatScope,
    [first, ...others]: readonly [Question, ...Question[]],
    limits: { readonly sources: number; readonly signal: AbortSignal },
  ): Promise<Retrieved> {
    const ask = ({ text, required }: Question): Promise<Retrieved> =>
      retrieve(work, this.#passages, scope, text, { ...limits, required });
    let found = await ask(first);
    for (const question of others) {
      if (found.passages.length > 0) break;
      found = await ask(question);
    }
    return found;
  }

  /** The caller's conversation; a new one is stored with its first message. */
  async #conversationFor(work: Work, asking: Asking): Promise<Conversation> {
    const { workspaceId, workflowId, stage, request } = asking;
    const owner = work.scope.caller;
    const id = request.conversation_id ?? Bun.randomUUIDv7();
    const found =
      request.conversation_id === undefined
        ? undefined
        : await conversationById(work.read, { workspaceId, id });
    // A conversation of another user is 404.
    if (found !== undefined && found.owner !== owner) throw new Refusal("not-found");
    if (found !== undefined && found.messageCount + 2 > maximumMessages) {
      throw new Refusal("conflict", {
        detail: `The conversation has ${maximumMessages} messages: start a new one`,
      });
    }
    const time = this.#now().toISOString();
    return (
      found ?? {
        workspaceId,
        id,
        owner,
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

async function begin(
  work: Work,
  { conversation, admit }: Pick<Prepared, "conversation" | "admit">,
  messages: readonly NewMessage[],
  now: Date,
): Promise<void> {
  await work.write(async (tx) => {
    await admit?.(tx);
    await beginConversation(tx, conversation, now);
    const stored = await conversationById(tx, conversation);
    // Another user may have taken the id since the first read.
    if (stored?.owner !== conversation.owner) throw new Refusal("not-found");
    await appendMessages(tx, conversation, messages, now);
  });
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

/** The start of the question on one line, cut between graphemes. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  const characters = splitGraphemes(line);
  if (characters.length <= titleCharacters) return line;
  return `${characters.slice(0, titleCharacters - 1).join("")}…`;
}
