import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { LogEvent } from "#server/platform.ts";
import { serve, type Served } from "#server/serve.ts";
import { ReadingThreads } from "#server/platform/threads/reading-threads.ts";
import { createSqliteDatabase } from "#test/support/postgres.ts";
import { eventually } from "#test/support/eventually.ts";
import { createTestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const running: Served[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.stop()));
});

async function start(threads: number, port = 0): Promise<Served> {
  const served = await serve({
    host: "127.0.0.1",
    port,
    threads,
    dataDirectory: join(await temporaryDirectory("serve"), "data"),
    extractionCommand: [],
    log: () => {},
  });
  running.push(served);
  return served;
}

/** Number of sockets that listen on a port of this machine. */
async function listeners({ url }: Served): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const table = await readFile("/proc/net/tcp", "latin1");
  // Local address, remote address, state; 0A is LISTEN.
  return table.split("\n").filter((line) => line.includes(`0100007F:${port} 00000000:0000 0A`))
    .length;
}

describe("a platform of several threads", () => {
  test("listens on one port with each thread, and on none after its stop", async () => {
    const served = await start(3);
    expect(await listeners(served)).toBe(3);
    const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${served.url}/v4/identity/me`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await served.stop();
    expect(await listeners(served)).toBe(0);
  });

  test("does not take a port that another platform's threads share", async () => {
    const port = Number(new URL((await start(2)).url).port);
    for (const threads of [1, 2]) {
      await expect(start(threads, port)).rejects.toMatchObject({ code: "E205" });
    }
  });
});

test("a lost thread is replaced", async () => {
  const database = await createSqliteDatabase();
  const log: LogEvent[] = [];
  const note = (event: LogEvent): void => void log.push(event);
  const platform = await createTestPlatform({ database });
  const path = join(await temporaryDirectory("threads"), "later.db");
  const threads = new ReadingThreads({
    count: 1,
    platform: platform.platform,
    logger: { info: note, warn: note, error: note },
    start: {
      threads: 2,
      databasePath: path,
      host: "127.0.0.1",
      port: 0,
      baseUrl: undefined,
      allowedHosts: [],
      acceptsAddresses: false,
    },
  });
  await threads.open();
  expect(log).toMatchObject([{ event: "reading-thread-lost" }]);
  await eventually(() => expect(log.length).toBeGreaterThan(1));
  await threads.stop(1_000);
  await platform.close();
});
