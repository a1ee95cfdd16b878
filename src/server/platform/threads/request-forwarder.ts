import type { Peer } from "../../http/exchange.ts";
import {
  fieldsOf,
  headersOf,
  type ForwardedAnswer,
  type ForwardedRequest,
  type ChunkMessage,
  type ToMain,
} from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { BodyPair } from "./body-chunks.ts";

/** A body up to this size is sent whole. */
export const wholeBytes = 64 * 1024;

interface Forwarded {
  readonly peer: Peer;
  readonly resolve: (answer: { response: Response; known: ForwardedAnswer["known"] }) => void;
  readonly bodies: BodyPair;
  isAnswered: boolean;
  isLeft: boolean;
}

export class Forwarder {
  readonly #open = new Map<number, Forwarded>();
  #lastId = 0;

  constructor(private readonly outbox: Outbox<ToMain>) {}

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
    const answer = Promise.withResolvers<Parameters<Forwarded["resolve"]>[0]>();
    const forwarded: Forwarded = {
      peer,
      resolve: answer.resolve,
      bodies: new BodyPair(
        id,
        (message, transferred) => this.outbox.post(message, transferred),
        () => this.#closeWhenOver(id, forwarded),
      ),
      isAnswered: false,
      isLeft: false,
    };
    const { headers, method, url, signal } = request;
    const { asksForToken = false } = options;
    const message = { kind: "request", id, method, url, asksForToken } as const;
    const head = { ...message, fields: fieldsOf(headers), address: peer.address };
    const body = options.body ?? (await bodyOf(request, forwarded.bodies));
    this.#open.set(id, forwarded);
    this.outbox.post({ ...head, body });
    const leave = (): void => {
      if (!this.#open.has(id)) return;
      this.outbox.post({ kind: "gone", id });
      forwarded.isLeft = true;
      forwarded.bodies.endReceiving();
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
      case "silence":
        return forwarded.peer.expectSilence?.();
      case "traffic":
        return forwarded.peer.expectTraffic?.();
      default:
        return forwarded.bodies.receive(message);
    }
  }

  #answer(forwarded: Forwarded, { id, status, fields, body, known }: ForwardedAnswer): void {
    const { bodies } = forwarded;
    forwarded.isAnswered = true;
    let content: ReadableStream<Uint8Array> | Blob | string | null = null;
    if (body === "in chunks") {
      content = bodies.accept();
      if (forwarded.isLeft) bodies.endReceiving();
    } else if (body !== null) content = "file" in body ? body.file : body.text;
    this.#closeWhenOver(id, forwarded);
    const response = new Response(content, { status, headers: headersOf(fields) });
    forwarded.resolve({ response, known });
  }

  #closeWhenOver(id: number, { isAnswered, bodies }: Forwarded): void {
    if (isAnswered && !bodies.isSending && !bodies.isReceiving) this.#open.delete(id);
  }
}

async function bodyOf(request: Request, bodies: BodyPair): Promise<ForwardedRequest["body"]> {
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return null;
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) <= wholeBytes) {
    return new Uint8Array(await request.arrayBuffer());
  }
  return bodies.send(request.body, true);
}
