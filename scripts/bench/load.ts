/** One request as it goes over the wire, and the status that it has to be answered with. */
export interface WireRequest {
  readonly bytes: Uint8Array;
  readonly status: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly latenciesMs: readonly number[];
  /** Number of requests without an answer. */
  readonly lost: number;
}

export interface LoadOptions {
  readonly connections: number;
  /** No request begins later; without it, all of `count` are sent. */
  readonly durationMs?: number;
  /** Requests in all; without it, as many as fit the time. */
  readonly count?: number;
  /**
   * Paced instead of as fast as possible: together the connections send so many a second. A request
   * whose turn came while its connection still waited counts from its turn.
   */
  readonly perSecond?: number;
  /** Sends a request again that the platform is too busy for (503), and counts its whole time. */
  readonly isPatient?: boolean;
  /** Makes the request that comes `index`-th, counted over all connections. */
  request(index: number): WireRequest;
  /** The body of the answer to the request that came `index`-th. */
  onAnswer?(index: number, body: Buffer): void;
}

interface Connection {
  received: Buffer;
  /** Bytes that an answer needs in all, once its head has told. */
  wanted: number;
  sent: Uint8Array;
  unsent: Uint8Array;
  index: number;
  startedAt: number;
  dueAt: number;
  expectedStatus: number;
  isDone: boolean;
}

/**
 * Keeps `connections` sockets busy with one request each, and checks every status. Raw sockets,
 * because a client library would be measured along with the platform.
 */
export async function load(url: URL, options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs = Infinity, count = Infinity, perSecond, request } = options;
  const latenciesMs: number[] = [];
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const everyMs = perSecond === undefined ? 0 : (connections * 1000) / perSecond;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let index = 0;
  let open = connections;
  const startedAt = performance.now();
  const deadline = startedAt + durationMs;

  const send = (socket: Bun.Socket<Connection>): void => {
    const { data } = socket;
    if (index >= count) return end(socket);
    const { bytes, status } = request(index);
    data.index = index;
    index += 1;
    data.expectedStatus = status;
    const now = performance.now();
    const isLate = everyMs > 0 && data.dueAt < now && data.startedAt > 0;
    data.startedAt = isLate ? data.dueAt : now;
    data.dueAt += everyMs;
    data.sent = bytes;
    write(socket, bytes);
  };
  const next = (socket: Bun.Socket<Connection>, now: number): void => {
    if (now >= deadline) return end(socket);
    const waitMs = everyMs === 0 ? 0 : socket.data.dueAt - now;
    if (waitMs <= 0) return send(socket);
    const timer = setTimeout(() => {
      timers.delete(timer);
      // It was idle: what the timer is late by is not the platform's.
      socket.data.dueAt = performance.now();
      send(socket);
    }, waitMs);
    timers.add(timer);
  };
  const end = (socket: Bun.Socket<Connection>): void => {
    open -= 1;
    socket.data.isDone = true;
    socket.end();
    if (open === 0) finish();
  };
  const receive = (socket: Bun.Socket<Connection>, chunk: Buffer): void => {
    const { data } = socket;
    data.received = data.received.length === 0 ? chunk : Buffer.concat([data.received, chunk]);
    if (data.received.length < data.wanted) return;
    const answer = completeAnswer(data.received);
    data.wanted = answer.wanted;
    if (answer.body === undefined) return;
    if (answer.status === busyStatus && options.isPatient === true) {
      data.received = nothing;
      data.wanted = 0;
      write(socket, data.sent);
      return;
    }
    const now = performance.now();
    latenciesMs.push(now - data.startedAt);
    if (answer.status !== data.expectedStatus) {
      fail(new Error(`${data.expectedStatus} wanted, got ${data.received.toString()}`));
    }
    options.onAnswer?.(data.index, answer.body);
    data.received = nothing;
    data.wanted = 0;
    next(socket, now);
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, place) =>
      Bun.connect<Connection>({
        hostname: url.hostname,
        port: Number(url.port),
        data: {
          received: nothing,
          wanted: 0,
          sent: nothing,
          unsent: nothing,
          index: 0,
          startedAt: 0,
          dueAt: startedAt + (place * everyMs) / connections,
          expectedStatus: 0,
          isDone: false,
        },
        socket: {
          data: receive,
          drain: (socket) => write(socket, socket.data.unsent),
          error: (_socket, error) => fail(error),
          close(socket) {
            if (!socket.data.isDone) fail(new Error("the platform closed a connection"));
          },
        },
      }),
    ),
  );
  for (const socket of sockets) next(socket, performance.now());
  try {
    await Promise.race([finished, failed]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) {
      socket.data.isDone = true;
      socket.end();
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: latenciesMs.length / seconds, latenciesMs, lost: index - latenciesMs.length };
}

const nothing = Buffer.alloc(0);
const busyStatus = 503;

/** Writes what the socket takes now; the rest follows when it reports room. */
function write(socket: Bun.Socket<Connection>, bytes: Uint8Array): void {
  if (bytes.byteLength === 0) return;
  const written = socket.write(bytes);
  socket.data.unsent = written < bytes.byteLength ? bytes.subarray(Math.max(0, written)) : nothing;
}

/** A request as HTTP/1.1 bytes; `headers` are complete lines. */
export function wireRequest(
  method: string,
  url: URL,
  headers: readonly string[],
  body: string,
  status: number,
): WireRequest {
  const length = body === "" ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`];
  const text = `${[...head, ...headers, ...length].join("\r\n")}\r\n\r\n${body}`;
  return { bytes: Buffer.from(text), status };
}

interface Answer {
  readonly status: number;
  /** Bytes below which it can't be complete. */
  readonly wanted: number;
  /** Set once all of it has come. */
  readonly body: Buffer | undefined;
}

/** Reads no more of the head than it must: at 50,000 answers a second each microsecond counts. */
function completeAnswer(received: Buffer): Answer {
  const end = received.indexOf(headEnd);
  if (end < 0) return { status: 0, wanted: received.length + 1, body: undefined };
  const head = received.toString("latin1", 9, end);
  const status = Number(head.slice(0, 3));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const start = end + headEnd.length;
  if (length !== undefined) {
    const wanted = start + Number(length);
    const body = received.length >= wanted ? received.subarray(start, wanted) : undefined;
    return { status, wanted, body };
  }
  const rest = received.subarray(start);
  const wanted = received.length + 1;
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { status, wanted, body: rest };
  const isComplete = received.subarray(-lastChunk.length).equals(lastChunk);
  return { status, wanted, body: isComplete ? joinedChunks(rest) : undefined };
}

function joinedChunks(chunked: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < chunked.length;) {
    const end = chunked.indexOf("\r\n", at);
    const size = Number.parseInt(chunked.toString("latin1", at, end), 16);
    if (!(size > 0)) break;
    chunks.push(chunked.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");
