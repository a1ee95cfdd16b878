import { fileResponses, streamedResponses } from "../../http/response/body-sources.ts";
import type { Peer } from "../../http/exchange.ts";
import type { Platform } from "../../platform.ts";
import { networkRequests } from "../../http/body/body-stream.ts";
import { fieldsOf, headersOf } from "./header-fields.ts";
import type { ForwardedAnswer, ForwardedRequest, ChunkMessage, ToThread } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { ChunkSink, ChunkSource } from "./body-chunks.ts";

interface Received {
  readonly controller: AbortController;
  /** The request's body, until it was read or cancelled. */
  sink: ChunkSink | undefined;
  /** The response's body, until it was sent or cancelled. */
  source: ChunkSource | undefined;
  isAnswered: boolean;
}

/** Answers one reading thread's forwarded requests, on the main thread. */
export class ForwardedRequests {
  readonly #answer: Platform["fetch"];
  readonly #knownOf: (request: Request) => ForwardedAnswer["known"];
  readonly #outbox: Outbox<ToThread>;
  readonly #open = new Map<number, Received>();

  constructor(options: {
    readonly answer: Platform["fetch"];
    /** The verified token of an answered request. */
    readonly knownOf: (request: Request) => ForwardedAnswer["known"];
    readonly outbox: Outbox<ToThread>;
  }) {
    this.#answer = options.answer;
    this.#knownOf = options.knownOf;
    this.#outbox = options.outbox;
  }

  receive(message: ForwardedRequest | ChunkMessage | { kind: "gone"; id: number }): void {
    if (message.kind === "request") return void this.#take(message);
    const received = this.#open.get(message.id);
    switch (message.kind) {
      case "gone":
        received?.controller.abort(new DOMException("the caller has disconnected", "AbortError"));
        return received?.source?.cancel();
      case "pull":
        return void received?.source?.pull();
      case "cancel":
        return received?.source?.cancel();
      case "chunk":
        return received?.sink?.take(message.bytes);
      case "end":
        return received?.sink?.end();
      case "broken":
        return received?.sink?.break("the request broke off");
    }
  }

  /** Number of open requests, for tests that look for leaks. */
  get open(): number {
    return this.#open.size;
  }

  /** Ends all requests of a lost thread. */
  abandon(): void {
    for (const { controller, source, sink } of this.#open.values()) {
      controller.abort(new DOMException("the caller has disconnected", "AbortError"));
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
      // The runtime cannot make this request again, so the platform never saw it.
      this.#outbox.post({ kind: "answer", id, status: 400, fields: {}, body: null });
    }
    received.isAnswered = true;
    // The caller left before the response, so it will not pull its chunks.
    if (received.controller.signal.aborted) received.source?.cancel();
    // After the response the rest of the request's body is not needed.
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
    if (body !== "in chunks") return body;
    const sink = new ChunkSink(id, {
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
    received.source = new ChunkSource(id, response.body, {
      post: (message) => this.#outbox.post(message),
      isOwned: false,
      onOver: () => {
        received.source = undefined;
        this.#closeWhenOver(id, received);
      },
    });
    return "in chunks";
  }

  #closeWhenOver(id: number, received: Received): void {
    if (received.isAnswered && received.source === undefined) this.#open.delete(id);
  }
}
