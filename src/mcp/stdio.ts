import type { JSONRPCMessage, McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { agentServer } from "./agent-server.ts";
import type { AgentHost } from "./host.ts";
import { LineSubscriptions } from "./subscriptions/line-subscriptions.ts";
import { listenMethod } from "./subscriptions/listening.ts";
import * as sdk from "./sdk.ts";
import type { ToolSelection } from "./tool-sets.ts";

/** Longest message; uploads travel in base64. */
const maximumMessageBytes = 64 * 1024 * 1024;
/** Time for answers to requests that came before the end of input. */
const lastAnswersMs = 60_000;
/** Error codes of JSON-RPC 2.0. */
const parseErrorCode = -32_700;
const invalidRequestCode = -32_600;

export interface StdioStreams {
  readonly input: ReadableStream<Uint8Array>;
  write(text: string): Promise<void>;
  readonly signal: AbortSignal;
}

/** Serves one client over the streams of this process, one message per line, until input ends. */
export async function serveAgentOverStdio(
  host: AgentHost,
  selection: ToolSelection,
  streams: StdioStreams,
): Promise<void> {
  const subscriptions = new LineSubscriptions(host, (id, message) => {
    const error = { code: sdk.ProtocolErrorCode.InvalidParams, message };
    transport.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  });
  const transport = new LineTransport(streams, subscriptions);
  const serve: McpServerFactory = ({ era }) => {
    const single = era === "legacy" ? { single: subscriptions.single } : {};
    const server = agentServer(host, selection, { listens: true, ...single });
    subscriptions.server = server;
    return server;
  };
  const served = sdk.serveStdio(serve, { transport });
  try {
    await transport.ended;
  } finally {
    subscriptions.close();
    await served.close();
  }
}

/** Messages as lines of JSON, in the order of the calls of `send`. */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;
  readonly #ended = Promise.withResolvers<void>();
  /** Requests without an answer yet. */
  readonly #open = new Set<string | number>();
  #inputHasEnded = false;
  #written: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly streams: StdioStreams,
    private readonly subscriptions: LineSubscriptions,
  ) {}

  /** Resolves when input ends, the reader is gone or the process is to stop. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    const { signal } = this.streams;
    const stop = (): void => this.#ended.resolve();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void this.#read().then(() => this.#endInput(), stop);
  }

  /** A script may send its requests and close the pipe: they are answered first. */
  #endInput(): void {
    this.#inputHasEnded = true;
    if (this.#open.size === 0) this.#ended.resolve();
    else setTimeout(() => this.#ended.resolve(), lastAnswersMs).unref();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(sdk.serializeMessage(message));
    await this.#written;
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      this.#open.delete(message.id);
      if (this.#inputHasEnded && this.#open.size === 0) this.#ended.resolve();
    }
  }

  /** Answers as the platform does over HTTP; without an answer the sender would wait. */
  #refuse(line: string): void {
    const value = parsedJson(line);
    const id = isJsonObject(value) ? value["id"] : undefined;
    const error =
      value === undefined
        ? { code: parseErrorCode, message: "Parse error: the line is not JSON" }
        : { code: invalidRequestCode, message: "Invalid request: not a message of JSON-RPC 2.0" };
    const known = typeof id === "string" || typeof id === "number" ? id : null;
    this.#write(`${JSON.stringify({ jsonrpc: "2.0", id: known, error })}\n`);
  }

  #write(line: string): void {
    this.#written = this.#written
      .then(() => this.streams.write(line))
      // A failed write means that the client is gone.
      .catch(() => this.#ended.resolve());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#written;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.streams.input) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > maximumMessageBytes) {
        throw new RangeError(`A message is longer than ${maximumMessageBytes} bytes`);
      }
      for (const line of lines) this.#receive(line);
    }
    this.#receive(rest);
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = sdk.deserializeMessage(line);
    } catch {
      this.#refuse(line);
      return;
    }
    // A request to listen has no answer as long as it works.
    if ("id" in message && "method" in message && message.method !== listenMethod) {
      this.#open.add(message.id);
    }
    if ("method" in message && message.method === "notifications/cancelled") {
      const cancelled = message.params?.["requestId"];
      if (typeof cancelled === "string" || typeof cancelled === "number")
        this.#open.delete(cancelled);
    }
    const opening = this.subscriptions.open(message);
    if (opening === undefined) this.onmessage?.(message);
    else void opening.then((isOpen) => (isOpen ? this.onmessage?.(message) : undefined));
  }
}
