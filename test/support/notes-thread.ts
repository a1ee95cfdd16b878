import { expect } from "vitest";
import {
  caller,
  createTestPlatform,
  type Caller,
  type TestPlatform,
  type TestUser,
} from "./platform.ts";
import { createSqliteDatabase } from "./postgres.ts";
import { startTestThread, type TestThread } from "./reading-thread.ts";

/** A platform with an Object Type `note`, and a reading thread of it. */
export interface NotesThread {
  readonly the: TestPlatform;
  readonly thread: TestThread;
  /** The path of the notes. */
  readonly notes: string;
  /** A caller whose requests go to the thread. */
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
