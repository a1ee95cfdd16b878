import { expect } from "vitest";
import type { LogEvent, Platform } from "#server/platform.ts";
import { sqlitePath } from "#server/stores/database.ts";
import { ReadingThread } from "#server/threads/reading-thread.ts";
import {
  caller,
  createTestPlatform,
  type Caller,
  type TestPlatform,
  type TestUser,
} from "./platform.ts";
import { createSqliteDatabase } from "./postgres.ts";

/** A thread beside a platform, on a port of its own: whatever comes there comes to the thread. */
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

/** A platform with an Object Type `note`, and a thread beside it. */
export interface NotesThread {
  readonly the: TestPlatform;
  readonly thread: TestThread;
  /** The path of the notes. */
  readonly notes: string;
  /** Who asks the thread. */
  inThread(user: TestUser | "nobody"): Caller;
  /** How many requests the thread hands on while something is done. */
  forwardedBy(work: () => Promise<unknown>): Promise<number>;
  /** Fails where anything was logged. */
  stop(): Promise<void>;
}

const noteType = {
  name: "Note",
  slug: "note",
  properties: { title: { type: "string", indexed: true }, text: { type: "string" } },
};

export async function startNotesThread(): Promise<NotesThread> {
  const database = await createSqliteDatabase();
  const the = await createTestPlatform({ database, limits: { pingIntervalMs: 50 } });
  const thread = await startTestThread(the.platform, {
    baseUrl: the.baseUrl,
    databaseUrl: database.url,
    note: (event) => the.log.push(event),
  });
  const { tenant } = the.workspaces;
  const headers = { "x-tenant-id": tenant };
  await the.as("tenant-builder").post("/v4/data/resources/object-types", noteType, { headers });
  return {
    the,
    thread,
    notes: `/v4/data/resources/${tenant}/note`,
    inThread: (user) =>
      caller(
        (request) => thread.fetch(request),
        user === "nobody" ? undefined : the.users[user].token,
      ),
    async forwardedBy(work) {
      const before = thread.forwarded();
      await work();
      return thread.forwarded() - before;
    },
    async stop() {
      await thread.stop();
      await the.close();
      expect(the.log).toEqual([]);
    },
  };
}
