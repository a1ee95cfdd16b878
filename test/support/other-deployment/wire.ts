import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Dialect } from "./dialects.ts";

/** One request with its whole body. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** One answer; the dialect decides how it travels. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  /** Sent one by one, as a stream of events; then there is no `body`. */
  readonly frames?: readonly string[];
}

const reasons: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 204: "No Content" };
const longestBody = 64 * 1024 * 1024;

/** Bytes that have come and are not yet used. */
class Reader {
  #buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      this.#wake?.();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
  }

  /** The bytes up to and with `mark`; undefined at the end. */
  async until(mark: string): Promise<Buffer | undefined> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) return this.#take(at + mark.length);
      if (!(await this.#more())) return undefined;
    }
  }

  async bytes(count: number): Promise<Buffer | undefined> {
    while (this.#buffer.length < count) {
      if (!(await this.#more())) return undefined;
    }
    return this.#take(count);
  }

  #take(count: number): Buffer {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }

  async #more(): Promise<boolean> {
    if (this.#ended || this.#buffer.length > longestBody) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    return true;
  }
}

async function readRequest(reader: Reader, socket: Socket): Promise<WireRequest | undefined> {
  const head = await reader.until("\r\n\r\n");
  if (head === undefined) return undefined;
  const [first = "", ...lines] = head.toString("latin1").trimEnd().split("\r\n");
  const [method = "", target = "/"] = first.split(" ");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  if (headers.get("expect") === "100-continue") socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  const bytes = await readBody(reader, headers);
  if (bytes === undefined) return undefined;
  const url = new URL(target, `http://${headers.get("host") ?? "localhost"}`);
  return { method, url, headers, bytes };
}

async function readBody(reader: Reader, headers: Headers): Promise<Buffer | undefined> {
  if (!/chunked/i.test(headers.get("transfer-encoding") ?? "")) {
    return await reader.bytes(Number(headers.get("content-length") ?? 0));
  }
  const chunks: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt((await reader.until("\r\n"))?.toString("latin1") ?? "", 16);
    if (Number.isNaN(size)) return undefined;
    const chunk = await reader.bytes(size + 2);
    if (chunk === undefined) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, size));
  }
}

function headText(version: string, answer: WireAnswer, headers: readonly string[]): string {
  const { status } = answer;
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/${version} ${status} ${reasons[status] ?? "Status"}`, ...lines, ...headers]
    .concat("", "")
    .join("\r\n");
}

const lineEnd = Buffer.from("\r\n");

async function sendChunked(socket: Socket, pieces: readonly (Uint8Array | string)[]) {
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    if (bytes.length === 0) continue;
    // A write of each part would take twice the time of one.
    socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, lineEnd]));
    await Bun.sleep(1);
  }
  socket.write("0\r\n\r\n");
}

/** Cuts a body into at most eight pieces, also within characters. */
function pieces(body: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / 8));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
}

/** Sends one answer; resolves to whether the connection stays open. */
async function send(
  socket: Socket,
  request: WireRequest,
  answer: WireAnswer,
  { framing, compressed }: Dialect,
): Promise<boolean> {
  if (answer.status === 204 || answer.status === 304) {
    socket.write(headText("1.1", answer, []));
    return framing !== "closing";
  }
  const accepted = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const gzip = compressed && accepted && answer.frames === undefined;
  const plain = Buffer.from(answer.body);
  const body = gzip ? gzipSync(plain) : plain;
  const encoding = gzip ? ["Content-Encoding: gzip"] : [];
  if (framing === "closing") {
    socket.write(headText("1.0", answer, [...encoding, "Connection: close"]));
    for (const piece of answer.frames ?? [body]) {
      socket.write(piece);
      await Bun.sleep(1);
    }
    return false;
  }
  if (framing === "chunked" || answer.frames !== undefined) {
    socket.write(headText("1.1", answer, [...encoding, "Transfer-Encoding: chunked"]));
    await sendChunked(socket, answer.frames ?? pieces(body));
    return true;
  }
  const head = headText("1.1", answer, [...encoding, `Content-Length: ${body.length}`]);
  socket.write(Buffer.concat([Buffer.from(head), body]));
  return true;
}

/** An HTTP server on loopback that frames its answers by the dialect. */
export async function listen(
  dialect: Dialect,
  handle: (request: WireRequest) => Promise<WireAnswer>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const serve = async (socket: Socket): Promise<void> => {
    const reader = new Reader(socket);
    for (;;) {
      const request = await readRequest(reader, socket);
      if (request === undefined) break;
      if (!(await send(socket, request, await handle(request), dialect))) break;
    }
    socket.end();
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    void serve(socket).catch(() => socket.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => {
        server.close(() => closed());
      });
    },
  };
}
