import type { Peer } from "../../http/exchange.ts";
import { fieldsOf, headersOf } from "./header-fields.ts";
import type { ForwardedAnswer, ForwardedRequest, ChunkMessage, ToMain } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { ChunkSink, ChunkSource } from "./body-chunks.ts";

/** A body up to this size is sent whole. */
export const wholeBytes = 64 * 1024;

interface Forwarded {
  readonly peer: Peer;
  readonly resolve: (answer: { response: Response; known: ForwardedAnswer["known"] }) => void;
  source: ChunkSource | undefined;
  sink: ChunkSink | undefined;
  /** The response has arrived whole, or its chunks have ended. */
  isAnswered: boolean;
  /** The caller has disconnected. */
  isLeft: boolean;
}

/** Forwards a reading thread's requests to the main thread. */
export class Forwarder {
  readonly #outbox: Outbox<ToMain>;
  readonly #open = new Map<number, Forwarded>();
  #lastId = 0;

  constructor(outbox: Outbox<ToMain>) {
    this.#outbox = outbox;
  }

  /** The main thread's response; `body` is given if the request's body was read already. */
  async forward(
    request: Request,
    peer: Peer,
    options: {
      readonly asksForToken?: boolean;
      readonly body?: Uint8Array<ArrayBuffer> | undefined;
    } = {},
  ): Promise<{ response: Response; known: ForwardedAnswer["known"] }> {
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<{
      response: Response;
      known: ForwardedAnswer["known"];
    }>();
    const forwarded: Forwarded = {
      peer,
      resolve: answer.resolve,
      source: undefined,
      sink: undefined,
      isAnswered: false,
      isLeft: false,
    };
    const { headers, method, url, signal } = request;
    const { asksForToken = false } = options;
    const message = { kind: "request", id, method, url, asksForToken } as const;
    const head = { ...message, fields: fieldsOf(headers), address: peer.address };
    const body = options.body ?? (await this.#bodyOf(request, id, forwarded));
    this.#open.set(id, forwarded);
    this.#outbox.post({ ...head, body });
    const leave = (): void => {
      if (!this.#open.has(id)) return;
      this.#outbox.post({ kind: "gone", id });
      forwarded.isLeft = true;
      forwarded.sink?.end();
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return answer.promise;
  }

  receive(message: ForwardedAnswer | ChunkMessage | { kind: "silence" | "traffic"; id: number }) {
    const forwarded = this.#open.get(message.id);
    if (forwarded === undefined) return;
    switch (message.kind) {
      case "answer":
        return this.#answer(forwarded, message);
      case "pull":
        return void forwarded.source?.pull();
      case "cancel":
        return forwarded.source?.cancel();
      case "chunk":
        return forwarded.sink?.take(message.bytes);
      case "end":
        return forwarded.sink?.end();
      case "broken":
        return forwarded.sink?.break("the answer broke off");
      case "silence":
        return forwarded.peer.expectSilence?.();
      case "traffic":
        return forwarded.peer.expectTraffic?.();
    }
  }

  async #bodyOf(
    request: Request,
    id: number,
    forwarded: Forwarded,
  ): Promise<ForwardedRequest["body"]> {
    if (request.method === "GET" || request.method === "HEAD" || request.body === null) return null;
    const length = request.headers.get("content-length");
    if (length !== null && Number(length) <= wholeBytes) {
      return new Uint8Array(await request.arrayBuffer());
    }
    forwarded.source = new ChunkSource(id, request.body, {
      post: (message, transferred) => this.#outbox.post(message, transferred),
      isOwned: true,
      onOver: () => {
        forwarded.source = undefined;
        this.#closeWhenOver(id, forwarded);
      },
    });
    return "in chunks";
  }

  #answer(forwarded: Forwarded, { id, status, fields, body, known }: ForwardedAnswer): void {
    let content: ReadableStream<Uint8Array> | Blob | string | null;
    if (body === "in chunks") {
      const sink = new ChunkSink(id, {
        post: (message) => this.#outbox.post(message),
        onOver: () => {
          forwarded.isAnswered = true;
          this.#closeWhenOver(id, forwarded);
        },
      });
      forwarded.sink = sink;
      content = sink.stream;
      if (forwarded.isLeft) sink.end();
    } else {
      forwarded.isAnswered = true;
      content = body === null ? null : "file" in body ? body.file : body.text;
      this.#closeWhenOver(id, forwarded);
    }
    const response = new Response(content, { status, headers: headersOf(fields) });
    forwarded.resolve({ response, known });
  }

  #closeWhenOver(id: number, forwarded: Forwarded): void {
    if (forwarded.isAnswered && forwarded.source === undefined) this.#open.delete(id);
  }
}
