import type { ChatMessage, ChatOptions, ChatStreamEvent, Citation } from "#client/index.ts";
import { failureLine, isAbort } from "../kit/answers/failure.ts";
import type { ChatSubject } from "../shell/router.ts";
import type { Message } from "./transcript.ts";

export type StreamAnswer = (
  workflowId: string,
  message: string,
  options: ChatOptions,
  signal: AbortSignal,
) => AsyncIterable<ChatStreamEvent>;

/** The events of an answer, until the signal aborts. */
export type StreamOf = (signal: AbortSignal) => AsyncIterable<ChatStreamEvent>;

export interface ChatState {
  readonly messages: readonly Message[];
  readonly answering: boolean;
  readonly conversationId: string;
  readonly workflow: string | undefined;
  /** Documents that answers are limited to; all of the workspace when empty. */
  readonly subjects: readonly ChatSubject[];
  /** The cursor to the messages before the first one; absent where there are none. */
  readonly older: string | undefined;
  readonly isLoadingOlder: boolean;
  /** The stored title, else the first question; "" before one. */
  readonly title: string;
}

/** Messages of a stored conversation, oldest first. */
export interface StoredMessages {
  readonly messages: readonly ChatMessage[];
  readonly nextCursor?: string | null | undefined;
  readonly title?: string | undefined;
}

/** Documents that a question may be about, as the platform limits them. */
export const mostSubjects = 100;

/** Limit of the messages that are kept; the oldest ones are not shown. */
const maximumMessages = 4_000;
const drawMs = 40;

function freshState(workflow: string | undefined): ChatState {
  return {
    messages: [],
    answering: false,
    conversationId: crypto.randomUUID(),
    workflow,
    subjects: [],
    older: undefined,
    isLoadingOlder: false,
    title: "",
  };
}

/**
 * One conversation, which streams on while other screens are open. A failed stream loses no text,
 * and nothing is sent twice.
 */
export class ChatSession {
  /** Names its tab in the memory of the dashboard; it stays when the conversation changes. */
  readonly key: string = crypto.randomUUID();
  readonly #listeners = new Set<() => void>();
  #state: ChatState;
  #nextId = 0;
  #aborter: AbortController | undefined;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(workflow: string | undefined) {
    this.#state = freshState(workflow);
  }

  get = (): ChatState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  chooseWorkflow(workflow: string): void {
    this.#set({ workflow });
  }

  askAbout(subjects: readonly ChatSubject[]): void {
    const byId = new Map(
      [...this.#state.subjects, ...subjects].map((one) => [one.documentId, one]),
    );
    this.#set({ subjects: [...byId.values()].slice(0, mostSubjects) });
  }

  /** Removes one document, or all of them. */
  forgetSubjects(documentId?: string): void {
    const kept = documentId === undefined ? [] : this.#state.subjects;
    this.#set({ subjects: kept.filter((one) => one.documentId !== documentId) });
  }

  /** True before the first question. */
  get isBlank(): boolean {
    return this.#state.messages.length === 0;
  }

  /** Reads no further; the text so far stays, and the platform writes on for a while. */
  stop(): void {
    this.#aborter?.abort();
  }

  /** Shows a stored conversation; `running` yields the events of an answer that is under way. */
  resume(
    conversationId: string,
    stored: StoredMessages,
    {
      workflow,
      running,
    }: { readonly workflow?: string | undefined; readonly running?: StreamOf } = {},
  ): void {
    this.stop();
    const messages = stored.messages.map(this.#messageOf);
    const older = stored.nextCursor || undefined;
    const fresh = freshState(workflow ?? this.#state.workflow);
    const title = stored.title ?? titleOf(messages);
    this.#set({ ...fresh, conversationId, messages, older, title });
    // A question without an answer may have one that is being written.
    if (messages.at(-1)?.role === "you" && running !== undefined) void this.#follow(running);
  }

  /** Loads the messages before the first one, unless it does so already. Rejects as `load` does. */
  async loadOlder(
    load: (conversationId: string, cursor: string) => Promise<StoredMessages>,
  ): Promise<void> {
    const { conversationId, older, isLoadingOlder } = this.#state;
    if (older === undefined || isLoadingOlder) return;
    const isShown = () => this.#state.conversationId === conversationId;
    this.#set({ isLoadingOlder: true });
    try {
      const stored = await load(conversationId, older);
      if (!isShown()) return;
      const messages = [...stored.messages.map(this.#messageOf), ...this.#state.messages];
      const isFull = messages.length >= maximumMessages;
      this.#set({
        messages: messages.slice(-maximumMessages),
        older: isFull ? undefined : stored.nextCursor || undefined,
      });
    } finally {
      if (isShown()) this.#set({ isLoadingOlder: false });
    }
  }

  readonly #messageOf = (message: ChatMessage): Message => ({
    id: (this.#nextId += 1),
    role: message.role === "user" ? "you" : "assistant",
    text: message.content,
    ...citedOf(message),
    status: (message.status ?? "complete") === "complete" ? "complete" : "incomplete",
  });

  /** Sends a question and streams the answer. Never rejects: a failure is in the last message. */
  async send(text: string, stream: StreamAnswer): Promise<void> {
    const { workflow, conversationId, subjects, messages, title } = this.#state;
    if (this.#state.answering || workflow === undefined) return;
    const question: Message = {
      id: (this.#nextId += 1),
      role: "you",
      text,
      citations: [],
      status: "complete",
    };
    const asked = [...messages, question];
    this.#set({ messages: asked, title: title === "" ? titleOf(asked) : title });
    const documentIds = subjects.map((subject) => subject.documentId);
    const options = {
      conversationId,
      ...(documentIds.length === 0 ? {} : { params: { documentIds } }),
    };
    await this.#follow((signal) => stream(workflow, text, options, signal), true);
  }

  /** Writes the events of an answer into a new message; without `isNew` an empty one goes again. */
  async #follow(open: StreamOf, isNew = false): Promise<void> {
    const aborter = new AbortController();
    this.#aborter = aborter;
    const id = (this.#nextId += 1);
    const answer: Message = { id, role: "assistant", text: "", citations: [], status: "streaming" };
    this.#set({
      answering: true,
      messages: [...this.#state.messages, answer].slice(-maximumMessages),
    });
    try {
      for await (const event of open(aborter.signal)) this.#take(id, event);
    } catch (error) {
      const stopped = isAbort(error) || aborter.signal.aborted;
      this.#change(
        id,
        stopped ? { status: "stopped" } : { status: "failed", note: failureLine(error) },
      );
    }
    if (this.#aborter !== aborter) return;
    this.#aborter = undefined;
    const { messages } = this.#state;
    const isGone = !isNew && messages.find((each) => each.id === id)?.text === "";
    this.#set({
      answering: false,
      messages: isGone ? messages.filter((each) => each.id !== id) : messages,
    });
  }

  #take(id: number, event: ChatStreamEvent): void {
    const message = this.#state.messages.find((each) => each.id === id);
    if (message === undefined) return;
    switch (event.type) {
      case "text":
        return this.#change(id, { text: message.text + event.text });
      case "citation":
        return this.#change(id, { citations: withCitation(message.citations, event.citation) });
      case "nearest":
        return this.#change(id, {
          citations: withCitation(message.citations, event.citation),
          isNear: true,
        });
      case "error":
        return this.#change(id, { status: "failed", note: failureLine(event.error) });
      case "finish":
        if (event.complete) this.#change(id, { status: "complete", note: event.model });
        else if (event.reason === "aborted") this.#change(id, { status: "stopped" });
        else if (message.status !== "failed" || message.text !== "") {
          this.#change(id, { status: message.text === "" ? "failed" : "incomplete" });
        }
        return;
      case "reasoning":
      case "source":
      case "unknown":
    }
  }

  #change(id: number, part: Partial<Message>): void {
    this.#state = {
      ...this.#state,
      messages: this.#state.messages.map((each) => (each.id === id ? { ...each, ...part } : each)),
    };
    this.#drawTimer ??= setTimeout(() => this.#notify(), drawMs);
  }

  #set(part: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...part };
    this.#notify();
  }

  #notify(): void {
    clearTimeout(this.#drawTimer);
    this.#drawTimer = undefined;
    for (const listener of this.#listeners) listener();
  }
}

const titleCharacters = 80;

/** The first question on one line. */
function titleOf(messages: readonly Message[]): string {
  const { text = "" } = messages.find(({ role }) => role === "you") ?? {};
  return text.trim().replaceAll(/\s+/g, " ").slice(0, titleCharacters);
}

/** The passages of a stored message: those that it cites, else those near its question. */
function citedOf({
  citations = [],
  nearest = [],
}: ChatMessage): Pick<Message, "citations" | "isNear"> {
  const isNear = citations.length === 0 && nearest.length > 0;
  return isNear ? { citations: nearest, isNear } : { citations };
}

function withCitation(citations: readonly Citation[], one: Citation): readonly Citation[] {
  return citations.some((citation) => citation.id === one.id) ? citations : [...citations, one];
}
