/** One request as it goes over the wire, and the status that it has to be answered with. */
export interface WireRequest {
  readonly bytes: Uint8Array;
  readonly status: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** From the first byte sent to the last byte received, in milliseconds. */
  readonly latenciesMs: readonly number[];
}

export interface LoadOptions {
  readonly connections: number;
  readonly durationMs: number;
  /** Makes the request that comes `index`-th, counted over all connections. */
  request(index: number): WireRequest;
}

interface Connection {
  received: Buffer;
  startedAt: number;
  expectedStatus: number;
  isDone: boolean;
}

/**
 * Keeps `connections` sockets busy with one request each, for `durationMs`, and checks every
 * status. Raw sockets, because a client library would be measured along with the platform.
 */
export async function load(url: URL, options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs, request } = options;
  const latenciesMs: number[] = [];
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  let index = 0;
  let open = connections;
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const deadline = startedAt + durationMs;

  const send = (socket: Bun.Socket<Connection>): void => {
    const { bytes, status } = request(index);
    index += 1;
    socket.data.expectedStatus = status;
    socket.data.startedAt = performance.now();
    const written = socket.write(bytes);
    if (written !== bytes.byteLength) fail(new Error("a request did not fit the socket's buffer"));
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      Bun.connect<Connection>({
        hostname: url.hostname,
        port: Number(url.port),
        data: { received: Buffer.alloc(0), startedAt: 0, expectedStatus: 0, isDone: false },
        socket: {
          data(socket, chunk) {
            const { data } = socket;
            data.received =
              data.received.length === 0 ? chunk : Buffer.concat([data.received, chunk]);
            const status = completeStatus(data.received);
            if (status === undefined) return;
            const now = performance.now();
            latenciesMs.push(now - data.startedAt);
            if (status !== data.expectedStatus) {
              fail(new Error(`${data.expectedStatus} wanted, got ${data.received.toString()}`));
            }
            data.received = Buffer.alloc(0);
            if (now < deadline) return send(socket);
            open -= 1;
            data.isDone = true;
            socket.end();
            if (open === 0) finish();
          },
          error: (_socket, error) => fail(error),
          close(socket) {
            if (!socket.data.isDone) fail(new Error("the platform closed a connection"));
          },
        },
      }),
    ),
  );
  for (const socket of sockets) send(socket);
  try {
    await Promise.race([finished, failed]);
  } finally {
    for (const socket of sockets) socket.end();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: latenciesMs.length / seconds, latenciesMs };
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

/** The status of an answer, once all of it has come. */
function completeStatus(received: Buffer): number | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.subarray(0, end).toString("latin1").toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  const isComplete =
    length === undefined
      ? !head.includes("\r\ntransfer-encoding: chunked") || received.subarray(-5).equals(LAST_CHUNK)
      : received.length >= end + 4 + Number(length);
  return isComplete ? Number(head.slice(9, 12)) : undefined;
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");
