import { fileResponses, streamedResponses } from "../../http/response/body-sources.ts";
import type { Peer } from "../../http/exchange.ts";
import type { Platform } from "../../platform.ts";
import { networkRequests } from "../../http/body/body-stream.ts";
import {
  fieldsOf,
  headersOf,
  type ForwardedAnswer,
  type ForwardedRequest,
  type ChunkMessage,
  type ToThread,
} from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { BodyPair } from "./body-chunks.ts";
import { inBackground } from "../../kit/background.ts";
import type { Logger } from "../../kit/logger.ts";

interface Received {
  readonly controller: AbortController;
  readonly bodies: BodyPair;
  isAnswered: boolean;
}

/** Answers one reading thread's forwarded requests, on the main thread. */
export class ForwardedRequests {
  readonly #open = new Map<number, Received>();

  constructor(
    private readonly parts: {
      readonly answer: Platform["fetch"];
      /** The verified token of an answered request. */
      readonly knownOf: (request: Request) => ForwardedAnswer["known"];
      readonly outbox: Outbox<ToThread>;
      readonly logger: Logger;
    },
  ) {}

  receive(message: ForwardedRequest | ChunkMessage | { kind: "gone"; id: number }): void {
    if (message.kind === "request") {
      inBackground(this.parts.logger, "forwarded-request-failed", () => this.#take(message));
      return;
    }
    const received = this.#open.get(message.id);
    switch (message.kind) {
      case "gone":
        received?.controller.abort(new DOMException("the caller has disconnected", "AbortError"));
        return received?.bodies.stopSending();
      default:
        return received?.bodies.receive(message);
    }
  }

  /** Number of open requests, for tests that look for leaks. */
  get open(): number {
    return this.#open.size;
  }

  /** Ends all requests of a lost thread. */
  abandon(): void {
    for (const { controller, bodies } of this.#open.values()) {
      controller.abort(new DOMException("the caller has disconnected", "AbortError"));
      bodies.abandon();
    }
    this.#open.clear();
  }

  async #take(message: ForwardedRequest): Promise<void> {
    const { id } = message;
    const received: Received = {
      controller: new AbortController(),
      bodies: new BodyPair(
        id,
        (body) => this.parts.outbox.post(body),
        () => this.#closeWhenOver(id, received),
      ),
      isAnswered: false,
    };
    this.#open.set(id, received);
    try {
      this.parts.outbox.post(await this.#answerTo(message, received));
    } catch {
      // The runtime cannot make this request again, so the platform never saw it.
      this.parts.outbox.post({ kind: "answer", id, status: 400, fields: {}, body: null });
    }
    received.isAnswered = true;
    // The caller left before the response, so it will not pull its chunks.
    if (received.controller.signal.aborted) received.bodies.stopSending();
    // After the response the rest of the request's body is not needed.
    if (received.bodies.isReceiving) this.parts.outbox.post({ kind: "cancel", id });
    this.#closeWhenOver(id, received);
  }

  async #answerTo(message: ForwardedRequest, received: Received): Promise<ForwardedAnswer> {
    const { id, method, url, fields, body, address, asksForToken } = message;
    const request = new Request(url, {
      method,
      headers: headersOf(fields),
      body: body === "in chunks" ? received.bodies.accept() : body,
      signal: received.controller.signal,
    });
    if (received.bodies.isReceiving) networkRequests.add(request);
    const peer: Peer = {
      address,
      expectSilence: () => this.parts.outbox.post({ kind: "silence", id }),
      expectTraffic: () => this.parts.outbox.post({ kind: "traffic", id }),
    };
    const response = await this.parts.answer(request, peer);
    const known = asksForToken ? this.parts.knownOf(request) : undefined;
    return {
      kind: "answer",
      id,
      status: response.status,
      fields: fieldsOf(response.headers),
      body: await contentOf(response, received.bodies),
      ...(known === undefined ? {} : { known }),
    };
  }

  #closeWhenOver(id: number, { isAnswered, bodies }: Received): void {
    if (isAnswered && !bodies.isSending) this.#open.delete(id);
  }
}

async function contentOf(response: Response, bodies: BodyPair): Promise<ForwardedAnswer["body"]> {
  const file = fileResponses.get(response);
  if (file !== undefined) return { file };
  if (response.body === null) return null;
  if (!streamedResponses.has(response)) return { text: await response.text() };
  return bodies.send(response.body, false);
}
