import type { LogEvent, Platform } from "#server/platform.ts";
import { sqlitePath } from "#server/database/open.ts";
import { ReadingThread } from "#server/platform/threads/reading-thread.ts";

/** A reading thread of a platform on a separate port, which receives all requests to that port. */
export interface TestThread {
  /** Where it listens, with no trailing slash. */
  readonly origin: string;
  /** Sends what was meant for the platform's `baseUrl` to the thread. */
  fetch(request: Request): Promise<Response>;
  /** How many requests it has handed to the main thread so far. */
  forwarded(): number;
  readonly thread: ReadingThread;
  stop(): Promise<void>;
}

export interface TestThreadOptions {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly note: (event: LogEvent) => void;
}

export async function startTestThread(
  platform: Platform,
  { baseUrl, databaseUrl, note }: TestThreadOptions,
): Promise<TestThread> {
  let forwarded = 0;
  const thread = await ReadingThread.start({
    platform: {
      ...platform,
      fetch(request, peer) {
        forwarded += 1;
        return platform.fetch(request, peer);
      },
    },
    logger: { info: () => {}, warn: note, error: note },
    start: {
      threads: 2,
      databasePath: sqlitePath(databaseUrl),
      host: "127.0.0.1",
      port: 0,
      baseUrl,
      acceptsAddresses: false,
      allowedHosts: [],
    },
    onLost: (reason) => note({ event: "reading-thread-lost", error: reason }),
  });
  const origin = `http://127.0.0.1:${await thread.port}`;
  return {
    origin,
    thread,
    forwarded: () => forwarded,
    async fetch(request) {
      const { method, headers, signal } = request;
      const url = request.url.replace(baseUrl, origin);
      const body = request.body === null ? null : await request.arrayBuffer();
      return fetch(url, { method, headers, body, signal, redirect: "manual", decompress: false });
    },
    stop: () => thread.stop(1_000),
  };
}
