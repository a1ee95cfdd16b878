import type { ChatMessage, ChatOptions, ChatStreamEvent, Citation } from "#client/index.ts";
import { failureLine, isAbort } from "../kit/answers/failure.ts";
import type { ChatSubject } from "../shell/router.ts";
import type { Turn } from "./transcript.ts";

/** Starts a streamed answer; the client's own chat, or a test's. */
export type StreamAnswer = (
  workflowId: string,
  message: string,
  options: ChatOptions,
) => AsyncIterable<ChatStreamEvent>;

export interface ChatState {
  readonly turns: readonly Turn[];
  readonly answering: boolean;
  readonly conversationId: string;
  readonly workflow: string | undefined;
  /** Documents that answers are to come from; all of the workspace when empty. */
  readonly subjects: readonly ChatSubject[];
}

const maximumTurns = 400;
/** Pieces of an answer are drawn at most this often. */
const drawMs = 40;

function freshState(workflow: string | undefined): ChatState {
  return {
    turns: [],
    answering: false,
    conversationId: crypto.randomUUID(),
    workflow,
    subjects: [],
  };
}

/**
 * One conversation. It lives above the screens, so that an answer goes on while a citation is read.
 * What was said is kept whatever happens to the stream, and nothing is ever sent twice by itself.
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

  state = (): ChatState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  chooseWorkflow(workflow: string): void {
    this.#set({ workflow });
  }

  /** Adds documents that answers are to come from. */
  askAbout(subjects: readonly ChatSubject[]): void {
    const known = new Map(
      [...this.#state.subjects, ...subjects].map((one) => [one.documentId, one]),
    );
    this.#set({ subjects: [...known.values()] });
  }

  forgetSubjects(): void {
    this.#set({ subjects: [] });
  }

  /** Stops the answer that is being written; what was said stays. */
  stop(): void {
    this.#aborter?.abort();
  }

  /** A new conversation; documents and workflow stay. */
  restart(): void {
    this.stop();
    const { workflow, subjects } = this.#state;
    this.#state = { ...freshState(workflow), subjects };
    this.#notify();
  }

  /** Goes on with a stored conversation. */
  resume(conversationId: string, messages: readonly ChatMessage[], workflow?: string): void {
    this.stop();
    const turns = messages.slice(-maximumTurns).map((message): Turn => {
      const incomplete = message.status !== undefined && message.status !== "complete";
      return {
        id: (this.#nextId += 1),
        role: message.role === "user" ? "you" : "assistant",
        text: message.content,
        citations: message.citations ?? [],
        status: incomplete ? "incomplete" : "complete",
      };
    });
    const kept = workflow ?? this.#state.workflow;
    this.#state = { ...freshState(kept), conversationId, turns };
    this.#notify();
  }

  /** Sends a message and follows the answer to its end. Never rejects: a failure is in the turn. */
  async send(message: string, stream: StreamAnswer): Promise<void> {
    const { workflow, conversationId, subjects } = this.#state;
    if (this.#state.answering || workflow === undefined) return;
    const aborter = new AbortController();
    this.#aborter = aborter;
    const id = this.#nextId + 2;
    this.#set({
      answering: true,
      turns: [
        ...this.#state.turns,
        {
          id: this.#nextId + 1,
          role: "you",
          text: message,
          citations: [],
          status: "complete",
        } as const,
        { id, role: "assistant", text: "", citations: [], status: "streaming" } as const,
      ].slice(-maximumTurns),
    });
    this.#nextId = id;
    const documentIds = subjects.map((subject) => subject.documentId);
    try {
      const events = stream(workflow, message, {
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
    const turn = this.#state.turns.find((each) => each.id === id);
    if (turn === undefined) return;
    switch (event.type) {
      case "text":
        this.#change(id, { text: turn.text + event.text });
        return;
      case "citation":
        this.#change(id, { citations: withCitation(turn.citations, event.citation) });
        return;
      case "error":
        this.#change(id, { status: "failed", note: failureLine(event.error) });
        return;
      case "finish":
        if (event.complete) this.#change(id, { status: "complete", note: event.model });
        else if (event.reason === "aborted") this.#change(id, { status: "stopped" });
        else if (turn.status !== "failed" || turn.text !== "") {
          this.#change(id, { status: turn.text === "" ? "failed" : "incomplete" });
        }
        return;
      case "source":
      case "unknown":
        return;
    }
  }

  #change(id: number, part: Partial<Turn>): void {
    this.#state = {
      ...this.#state,
      turns: this.#state.turns.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)),
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
