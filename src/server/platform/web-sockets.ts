import { closeMark } from "../http/response/stream-format.ts";

/** Bytes that the runtime may hold for a slow client before the stream waits. */
const heldBytes = 64 * 1024;
/** A client that does not answer pings for this time has gone, or does not read. */
const silenceSeconds = 60;
/** Messages of a client are not read. */
const largestMessageBytes = 1024;
/** The runtime drops a message beyond it; one event has its record at most. */
const largestEventBytes = 64 * 1024 * 1024;
const failed = 1011;
const unsupported = 1003;

interface LineReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

type Socket = Bun.ServerWebSocket<OpenSocket>;

/**
 * Upgrades the connection of a response with the status 101, whose lines become messages. Returns
 * other responses as they are.
 */
export function upgraded(
  request: Request,
  server: Bun.Server<OpenSocket>,
  response: Response,
): Response | undefined {
  const { status, headers, body } = response;
  if (status !== 101 || body === null) return response;
  const socket = new OpenSocket(body);
  if (server.upgrade(request, { data: socket, headers })) return undefined;
  // The client has left, or its handshake is none that the runtime completes.
  socket.leave();
  return new Response(null, { status: 400 });
}

/** One connection: it takes a line of the stream only while the client reads. */
export class OpenSocket {
  readonly #reader: LineReader;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #drained: (() => void) | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Sends the stream until it ends, in the background; a failure closes the connection. */
  begin(socket: Socket): void {
    this.#send(socket).catch(() => socket.close(failed));
  }

  async #send(socket: Socket): Promise<void> {
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return socket.close(failed);
      const lines = (this.#rest + this.#decoder.decode(value, { stream: true })).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith(closeMark)) return close(socket, line);
        if (socket.sendText(line) === 0) return socket.close(failed);
        await this.#room(socket);
      }
    }
  }

  drain(): void {
    this.#drained?.();
  }

  leave(): void {
    this.#drained?.();
    this.#reader.cancel().catch(() => {});
  }

  /** Waits until the client has read most of what was sent, or has left. */
  async #room(socket: Socket): Promise<void> {
    while (socket.readyState === WebSocket.OPEN && socket.getBufferedAmount() > heldBytes) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#drained = undefined;
  }
}

function close(socket: Socket, line: string): void {
  const [code = "", ...words] = line.slice(closeMark.length).split(" ");
  socket.close(Number(code), words.join(" "));
}

/** The handler of all WebSockets of a server. */
export const socketHandler: Bun.WebSocketHandler<OpenSocket> = {
  idleTimeout: silenceSeconds,
  sendPings: true,
  perMessageDeflate: false,
  maxPayloadLength: largestMessageBytes,
  backpressureLimit: largestEventBytes,
  open: (socket) => socket.data.begin(socket),
  message: (socket) => socket.close(unsupported, "this stream takes no messages"),
  drain: (socket) => socket.data.drain(),
  close: (socket) => socket.data.leave(),
};
