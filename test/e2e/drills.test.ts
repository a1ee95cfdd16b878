import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drillConflicts } from "#test/support/drills/conflicts.ts";
import { CrashDrill, integrityOf } from "#test/support/drills/crashes.ts";
import { DrillSession } from "#test/support/drills/session.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { sized } from "#test/support/size.ts";
import { startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

describe("ten clients who all count up one record", () => {
  const counted = { acknowledged: 100, version: 101, count: 100 };

  test("lose nothing on sqlite", async () => {
    await using platform = await startPlatform();
    const session = await DrillSession.create(platform);
    const outcome = await drillConflicts(session, 10, 10);
    expect(outcome).toMatchObject(counted);
    expect(outcome.conflicts).toBeGreaterThan(0);
  });

  describeNeeding("on another database", missingPostgres, () => {
    test("lose nothing on postgresql", async () => {
      const database = await createTestDatabase();
      try {
        await using platform = await startPlatform({ args: [`--database-url=${database.url}`] });
        const session = await DrillSession.create(platform);
        expect(await drillConflicts(session, 10, 10)).toMatchObject(counted);
      } finally {
        await database.drop();
      }
    });
  });
});

describe("a platform that is killed under load", () => {
  test("keeps every write that it acknowledged, and half of none", async () => {
    const dataDir = await temporaryDirectory("crashes");
    const start = () => startPlatform({ dataDir });
    const first = await start();
    const session = await DrillSession.create(first);
    await first.stop();
    const drill = new CrashDrill({ start, session });
    const rounds = sized(3, 5);
    for (let round = 0; round < rounds; round += 1) await drill.round(400);
    await drill.finish();
    expect(integrityOf(dataDir)).toBe("ok");
    expect(drill.counts.rounds).toBe(rounds);
    expect(drill.counts.creates).toBeGreaterThan(0);
  }, 120_000);
});

const missingStrace = Bun.which("strace") === null ? "needs strace" : undefined;

describeNeeding("an answer to a write", missingStrace, () => {
  test("leaves only after the write-ahead log was synced", async () => {
    const home = await temporaryDirectory("strace");
    const dataDir = await temporaryDirectory("strace-data");
    const prepared = await startPlatform({ dataDir });
    const session = await DrillSession.create(prepared);
    await prepared.stop();

    const trace = join(home, "trace");
    const wrapper = join(home, "traced-svc");
    const calls = "trace=fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg";
    const program = `exec strace -f --seccomp-bpf -y -s 16 -e ${calls} -o '${trace}' '${await svcExecutable()}' "$@"`;
    await writeFile(wrapper, `#!/bin/sh\n${program}\n`, { mode: 0o700 });
    const traced = await startPlatformProcess({ executable: wrapper, dataDir, home });
    try {
      const at = session.at(traced);
      for (let index = 0; index < 20; index += 1) {
        const { json } = await at.expect(201, "POST", "", { marker: `m${index}` });
        const { id } = json as { id: string };
        await at.expect(200, "PUT", `/${id}`, { version: 1, data: { marker: `n${index}` } });
      }
    } finally {
      // strace itself ignores signals while it traces.
      process.kill(traced.pid, "SIGTERM");
      await traced.stop();
    }

    // One request at a time: since the answer before, its write was synced. Other writes, of the
    // audit log for example, may follow before the answer leaves.
    let isWritten = false;
    let isSynced = false;
    let answers = 0;
    const early: string[] = [];
    /** Threads inside a sync of the log, and whether it began after the write. */
    const syncing = new Map<string, boolean>();
    for (const line of (await readFile(trace, "utf8")).split("\n")) {
      const [thread = ""] = line.split(" ");
      if (/pwrite64\(\d+<[^>]*svc\.db-wal>/.test(line)) isWritten = true;
      else if (/f(data)?sync\(\d+<[^>]*svc\.db-wal>\)\s+= 0/.test(line)) isSynced ||= isWritten;
      else if (/f(data)?sync\(\d+<[^>]*svc\.db-wal> <unfinished/.test(line)) {
        syncing.set(thread, isWritten);
      } else if (/f(data)?sync resumed>\)\s+= 0/.test(line)) {
        isSynced ||= syncing.get(thread) === true;
        syncing.delete(thread);
      } else if (/<(socket|TCP)[^>]*>.*"HTTP\/1\.1 20[01]/.test(line)) {
        answers += 1;
        if (!isSynced) early.push(line);
        isWritten = false;
        isSynced = false;
        for (const each of syncing.keys()) syncing.set(each, false);
      }
    }
    expect(answers).toBeGreaterThanOrEqual(40);
    expect(early).toEqual([]);
  }, 60_000);
});
