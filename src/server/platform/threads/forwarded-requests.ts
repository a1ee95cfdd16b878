import { fileResponses, streamedResponses } from "../../http/response/body-sources.ts";
import type { Peer } from "../../http/exchange.ts";
import type { Platform } from "../../platform.ts";
import { networkRequests } from "../../http/body/body-stream.ts";
import { fieldsOf, headersOf } from "./header-fields.ts";
import type { ForwardedAnswer, ForwardedRequest, PieceMessage, ToThread } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { PieceSink, PieceSource } from "./body-chunks.ts";

interface Received {
  readonly controller: AbortController;
  /** The request's body, until it has been read or given up. */
  sink: PieceSink | undefined;
  /** The answer's body, until it has been sent or given up. */
  source: PieceSource | undefined;
  isAnswered: boolean;
}

/** The main thread's end of one reading thread: answers what that one forwards. */
export class ForwardedRequests {
  readonly #answer: Platform["fetch"];
  readonly #knownOf: (request: Request) => ForwardedAnswer["known"];
  readonly #outbox: Outbox<ToThread>;
  readonly #open = new Map<number, Received>();

  constructor(options: {
    readonly answer: Platform["fetch"];
    /** What is known of a request's token once it has been answered. */
    readonly knownOf: (request: Request) => ForwardedAnswer["known"];
    readonly outbox: Outbox<ToThread>;
  }) {
    this.#answer = options.answer;
    this.#knownOf = options.knownOf;
    this.#outbox = options.outbox;
  }

  receive(message: ForwardedRequest | PieceMessage | { kind: "gone"; id: number }): void {
    if (message.kind === "request") return void this.#take(message);
    const received = this.#open.get(message.id);
    switch (message.kind) {
      case "gone":
        received?.controller.abort(new DOMException("the caller is gone", "AbortError"));
        return received?.source?.cancel();
      case "pull":
        return void received?.source?.pull();
      case "cancel":
        return received?.source?.cancel();
      case "piece":
        return received?.sink?.take(message.bytes);
      case "end":
        return received?.sink?.end();
      case "broken":
        return received?.sink?.break("the request broke off");
    }
  }

  /** How many are under way, for tests of what stays behind. */
  get open(): number {
    return this.#open.size;
  }

  /** The thread is gone, and with it everybody who waits there. */
  abandon(): void {
    for (const { controller, source, sink } of this.#open.values()) {
      controller.abort(new DOMException("the caller is gone", "AbortError"));
      source?.cancel();
      sink?.break("the request broke off");
    }
    this.#open.clear();
  }

  async #take(message: ForwardedRequest): Promise<void> {
    const { id } = message;
    const received: Received = {
      controller: new AbortController(),
      sink: undefined,
      source: undefined,
      isAnswered: false,
    };
    this.#open.set(id, received);
    try {
      this.#outbox.post(await this.#answerTo(message, received));
    } catch {
      // Only what the platform never saw: a request that this runtime won't make once more.
      this.#outbox.post({ kind: "answer", id, status: 400, fields: {}, body: null });
    }
    received.isAnswered = true;
    // Gone before there was an answer: nobody will ask for its pieces.
    if (received.controller.signal.aborted) received.source?.cancel();
    // Nobody reads on once there is an answer.
    if (received.sink !== undefined) this.#outbox.post({ kind: "cancel", id });
    this.#closeWhenOver(id, received);
  }

  async #answerTo(message: ForwardedRequest, received: Received): Promise<ForwardedAnswer> {
    const { id, method, url, fields, address, asksForToken } = message;
    const request = new Request(url, {
      method,
      headers: headersOf(fields),
      body: this.#bodyOf(message, received),
      signal: received.controller.signal,
    });
    if (received.sink !== undefined) networkRequests.add(request);
    const peer: Peer = {
      address,
      expectSilence: () => this.#outbox.post({ kind: "silence", id }),
      expectTraffic: () => this.#outbox.post({ kind: "traffic", id }),
    };
    const response = await this.#answer(request, peer);
    const known = asksForToken ? this.#knownOf(request) : undefined;
    return {
      kind: "answer",
      id,
      status: response.status,
      fields: fieldsOf(response.headers),
      body: await this.#contentOf(response, id, received),
      ...(known === undefined ? {} : { known }),
    };
  }

  #bodyOf(
    { id, body }: ForwardedRequest,
    received: Received,
  ): Uint8Array<ArrayBuffer> | ReadableStream | null {
    if (body !== "in pieces") return body;
    const sink = new PieceSink(id, {
      post: (message) => this.#outbox.post(message),
      onOver: () => {
        received.sink = undefined;
        this.#closeWhenOver(id, received);
      },
    });
    received.sink = sink;
    return sink.stream;
  }

  async #contentOf(
    response: Response,
    id: number,
    received: Received,
  ): Promise<ForwardedAnswer["body"]> {
    const file = fileResponses.get(response);
    if (file !== undefined) return { file };
    if (response.body === null) return null;
    if (!streamedResponses.has(response)) return { text: await response.text() };
    received.source = new PieceSource(id, response.body, {
      post: (message) => this.#outbox.post(message),
      isOwned: false,
      onOver: () => {
        received.source = undefined;
        this.#closeWhenOver(id, received);
      },
    });
    return "in pieces";
  }

  #closeWhenOver(id: number, received: Received): void {
    if (received.isAnswered && received.source === undefined) this.#open.delete(id);
  }
}
