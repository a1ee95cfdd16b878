import { createClient } from "#client/index.ts";
import type { Client, ClientOptions } from "#client/index.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";

/** Small real servers that tests of the client talk to; all are stopped after each test. */

export const tenantId = "0198f0a0-1111-7000-8000-000000000001";
export const token = "canary-token-3f9a7c51d2e84b60";

const running: { stop(): void }[] = [];

afterEveryTest(() => {
  for (const server of running.splice(0)) server.stop();
});

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
}

/** An HTTP server that answers by `handle` and keeps what it was asked. */
export function serve(
  handle: (request: SeenRequest, count: number) => Response | Promise<Response>,
): TestServer {
  const seen: SeenRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const url = new URL(request.url);
      const one = {
        method: request.method,
        path: url.pathname + url.search,
        headers: request.headers,
        body: await request.text(),
      };
      seen.push(one);
      return await handle(one, seen.length);
    },
  });
  running.push({ stop: () => void server.stop(true) });
  return { url: server.url.origin, seen };
}

/** A socket that answers each whole request with raw bytes, then closes or resets it. */
export function serveRaw(
  answer: (connection: number) => {
    readonly bytes: string;
    readonly reset?: boolean;
    /** Pause before the end, so that the runtime hands out the answer's head first. */
    readonly holdMs?: number;
  },
): { readonly url: string; connections(): number } {
  let connections = 0;
  const server = Bun.listen<{ received: string }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: "" };
      },
      data(socket, chunk) {
        socket.data.received += chunk.toString("latin1");
        if (!isWhole(socket.data.received)) return;
        connections += 1;
        const { bytes, reset, holdMs = 0 } = answer(connections);
        socket.write(bytes);
        socket.flush();
        const end = () => void (reset === true ? socket.terminate() : socket.end());
        if (holdMs === 0) end();
        else setTimeout(end, holdMs);
      },
    },
  });
  running.push({ stop: () => server.stop(true) });
  return { url: `http://127.0.0.1:${server.port}`, connections: () => connections };
}

/**
 * Whether a request's head and as much body as it announces have come; bytes that are no HTTP are.
 */
function isWhole(received: string): boolean {
  if (!/^[A-Z]+ \//.test(received)) return true;
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1];
  return received.length - headEnd - 4 >= Number(length ?? 0);
}

/** A client of a test server, without pauses between attempts. */
export function clientOf(
  server: { readonly url: string },
  options: Partial<ClientOptions> = {},
): Client {
  return createClient({
    baseUrl: server.url,
    token,
    tenantId,
    ...options,
    retry:
      options.retry === false ? false : { firstPauseMs: 1, longestPauseMs: 2, ...options.retry },
  });
}

/** The announcement of a platform that honours `Idempotency-Key`. */
export const honours = { "accept-idempotency-key": "?1" } as const;

/** A problem answer as the platform gives it. */
export function problem(
  status: number,
  code: string,
  members: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = {
    type: `/problems/${code}`,
    title: code,
    status,
    code,
    requestId: "req-1",
    ...members,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

/** The error that a call fails with; fails itself when the call succeeds. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
}
