import { catalogError } from "#contract/errors.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { given } from "#lib/given.ts";
import { parsedJson } from "#lib/json/value.ts";
import { answerOf } from "../answer/answer.ts";
import type { ContractCalls } from "../calls.ts";

/** The longest time until a socket is open, and then without a message. */
const openMs = 10_000;
const silentMs = 60_000;
/** A slower reader continues from its last event with another socket. */
const mostWaiting = 1_000;
/** Close codes of a stream that the platform has ended, and of a platform that restarts. */
const endCodes: ReadonlySet<number> = new Set([1000, 1012]);

/** No WebSocket opens here: the runtime, the platform or a proxy between them has none. */
export class NoSocketError extends Error {
  override readonly name = "NoSocketError";
}

export interface SocketOptions {
  readonly types?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly where?: object | undefined;
  readonly full?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SocketClient {
  readonly baseUrl: string;
  readonly realtime: Pick<ContractCalls["realtime"], "negotiate">;
}

/**
 * The changes by one WebSocket, with a token of `negotiate`. It ends with the platform's stream.
 * Throws {@link NoSocketError} if the socket does not open, E203 if it breaks, the refusal of
 * `negotiate`, and the signal's reason.
 */
export async function* socketEvents(
  client: SocketClient,
  { types, kinds, where, full, cursor, signal }: SocketOptions,
): AsyncGenerator<CloudEvent, void, undefined> {
  if (!("WebSocket" in globalThis)) throw new NoSocketError("this runtime has no WebSocket");
  const body = given({
    types: types?.join(","),
    kinds: kinds?.join(","),
    where: where === undefined ? undefined : JSON.stringify(where),
    full,
  });
  const { url, transports } = await client.realtime.negotiate({ body, ...given({ signal }) });
  if (!transports.includes("websocket")) throw new NoSocketError("the platform has no WebSocket");
  // The client's own address also works where the platform is behind a proxy.
  const address = new URL(`${client.baseUrl}/v4/realtime/events${new URL(url).search}`);
  address.protocol = address.protocol.replace("http", "ws");
  if (cursor !== undefined) address.searchParams.set("cursor", cursor);
  const messages = new Messages(new WebSocket(address.href), signal);
  try {
    for (let text = await messages.next(); text !== undefined; text = await messages.next()) {
      const event = await answerOf("realtime", "events", "reply", parsedJson(text));
      if (event !== undefined) yield event;
    }
  } finally {
    messages.close();
  }
}

/** The text messages of a socket, one after the other. */
class Messages {
  readonly #waiting: string[] = [];
  #isOpen = false;
  #end: { readonly code: number } | undefined;
  #arrived = Promise.withResolvers<void>();

  constructor(
    private readonly socket: WebSocket,
    private readonly signal: AbortSignal | undefined,
  ) {
    socket.addEventListener("open", () => {
      this.#isOpen = true;
      this.#arrived.resolve();
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && this.#end === undefined) this.#waiting.push(data);
      if (this.#waiting.length >= mostWaiting) this.#endWith(1000);
      this.#arrived.resolve();
    });
    socket.addEventListener("close", ({ code }) => this.#endWith(code));
    signal?.addEventListener("abort", this.close, { once: true });
  }

  /** Undefined after the last message of a stream that has ended. */
  async next(): Promise<string | undefined> {
    for (;;) {
      this.signal?.throwIfAborted();
      const text = this.#waiting.shift();
      if (text !== undefined) return text;
      if (this.#end !== undefined) return this.#requireEnd(this.#end.code);
      await this.#wait();
    }
  }

  readonly close = (): void => {
    this.signal?.removeEventListener("abort", this.close);
    this.#endWith(1000);
  };

  async #wait(): Promise<void> {
    const late = setTimeout(() => this.#endWith(1006), this.#isOpen ? silentMs : openMs);
    await this.#arrived.promise;
    clearTimeout(late);
    this.#arrived = Promise.withResolvers();
  }

  #endWith(code: number): void {
    this.#end ??= { code };
    this.socket.close();
    this.#arrived.resolve();
  }

  #requireEnd(code: number): undefined {
    if (!this.#isOpen) throw new NoSocketError("the WebSocket did not open");
    if (endCodes.has(code)) return undefined;
    throw catalogError("E203", { details: `the WebSocket broke off with the code ${code}` });
  }
}
