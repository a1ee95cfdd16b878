import type { ChatMessage, ChatOptions, ChatStreamEvent, Citation } from "#client/index.ts";
import { failureLine, isAbort } from "../kit/answers/failure.ts";
import type { ChatSubject } from "../shell/router.ts";
import type { Message } from "./transcript.ts";

export type StreamAnswer = (
  workflowId: string,
  message: string,
  options: ChatOptions,
) => AsyncIterable<ChatStreamEvent>;

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
}

/** Messages of a stored conversation, oldest first. */
export interface StoredMessages {
  readonly messages: readonly ChatMessage[];
  readonly nextCursor?: string | null | undefined;
}

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
  };
}

/**
 * One conversation, which streams on while other screens are open. A failed stream loses no text,
 * and nothing is sent twice.
 */
export class ChatSession {
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
    this.#set({ subjects: [...byId.values()] });
  }

  forgetSubjects(): void {
    this.#set({ subjects: [] });
  }

  /** Stops the answer that is streaming; its text so far stays. */
  stop(): void {
    this.#aborter?.abort();
  }

  /** Begins a new conversation about the same documents, with the same workflow. */
  restart(): void {
    this.stop();
    const { workflow, subjects } = this.#state;
    this.#set({ ...freshState(workflow), subjects });
  }

  resume(conversationId: string, stored: StoredMessages, workflow?: string): void {
    this.stop();
    const messages = stored.messages.map(this.#messageOf);
    const older = stored.nextCursor || undefined;
    const fresh = freshState(workflow ?? this.#state.workflow);
    this.#set({ ...fresh, conversationId, messages, older });
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
    citations: message.citations ?? [],
    status: (message.status ?? "complete") === "complete" ? "complete" : "incomplete",
  });

  /** Sends a question and streams the answer. Never rejects: a failure is in the last message. */
  async send(text: string, stream: StreamAnswer): Promise<void> {
    const { workflow, conversationId, subjects, messages } = this.#state;
    if (this.#state.answering || workflow === undefined) return;
    const aborter = new AbortController();
    this.#aborter = aborter;
    const question: Message = {
      id: (this.#nextId += 1),
      role: "you",
      text,
      citations: [],
      status: "complete",
    };
    const id = (this.#nextId += 1);
    const answer: Message = { id, role: "assistant", text: "", citations: [], status: "streaming" };
    this.#set({
      answering: true,
      messages: [...messages, question, answer].slice(-maximumMessages),
    });
    const documentIds = subjects.map((subject) => subject.documentId);
    try {
      const events = stream(workflow, text, {
        conversationId,
        signal: aborter.signal,
        ...(documentIds.length === 0 ? {} : { params: { documentIds } }),
      });
      for await (const event of events) this.#take(id, event);
    } catch (error) {
      const stopped = isAbort(error) || aborter.signal.aborted;
      this.#change(
        id,
        stopped ? { status: "stopped" } : { status: "failed", note: failureLine(error) },
      );
    }
    if (this.#aborter !== aborter) return;
    this.#aborter = undefined;
    this.#set({ answering: false });
  }

  #take(id: number, event: ChatStreamEvent): void {
    const message = this.#state.messages.find((each) => each.id === id);
    if (message === undefined) return;
    switch (event.type) {
      case "text":
        return this.#change(id, { text: message.text + event.text });
      case "citation":
        return this.#change(id, { citations: withCitation(message.citations, event.citation) });
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

function withCitation(citations: readonly Citation[], one: Citation): readonly Citation[] {
  return citations.some((citation) => citation.id === one.id) ? citations : [...citations, one];
}
