import { EventEmitter } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Checkpointer } from "#server/database/sqlite/checkpointer.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { GroupCommit } from "#server/database/sqlite/group-commit.ts";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { startCheckpointWorker } from "#server/database/sqlite/checkpoint-worker.ts";
import { statement } from "#server/database/statement.ts";
import { Permits } from "#server/kit/turns/permits.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const kibibyte = 1024;

const restarts = 3;
/** Rows that are written again and again, so that only the log grows. */
const rows = 20;

/** A database with a log that only a checkpointer restarts. */
async function openLog(onCommit: () => void) {
  const path = join(await temporaryDirectory("log"), "svc.db");
  const writer = new SqliteConnection(path, { readonly: false });
  const pragmas = ["journal_mode = wal", "synchronous = normal", "wal_autocheckpoint = 0"];
  for (const pragma of pragmas) writer.execute(`pragma ${pragma}`);
  writer.execute("create table notes (id integer primary key, body text)");
  const commits = new GroupCommit(writer, {
    queueLimit: 100,
    batchLimit: 100,
    unitTimeoutMs: 5_000,
    onCommit,
    sync: () => Promise.resolve(),
  });
  return { path, writer, commits };
}

test("the log restarts while writers never pause", async () => {
  const { path, writer, commits } = await openLog(() => checkpointer.noteCommit());
  const checkpointer: Checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 100 * kibibyte,
    largeBytes: 400 * kibibyte,
    pageBytes: 4096,
    intervalMs: 1,
    start: async () => startCheckpointWorker(path, ["busy_timeout = 5000"], undefined),
    hold: (work) => commits.between(work),
    withoutScans: () => Promise.resolve(),
    onLoss: (error) => commits.fail(error),
  });
  const body = "x".repeat(20 * kibibyte);
  const salts = new Set<number>();
  let written = 0;
  // With two lanes one unit always waits while the other is written. The size of the log before a
  // restart depends on the load of the machine; the restarts do not.
  const lane = async (): Promise<void> => {
    while (salts.size < restarts) {
      const number = (written += 1);
      await commits.write((unit) =>
        unit.run(statement`replace into notes (id, body) values (${number % rows}, ${body})`),
      );
      salts.add(await logSalt(`${path}-wal`));
    }
  };
  await Promise.all([lane(), lane()]);
  await checkpointer.close();
  await commits.close();
  expect(writer.run("select count(*) as n from notes", []).rows).toEqual([{ n: rows }]);
  expect(writer.run("pragma integrity_check", []).rows).toEqual([{ integrity_check: "ok" }]);
  writer.close();
});

test("the log restarts while scans overlap without a gap", async () => {
  const beginnings: (() => void)[] = [];
  let isHeld = false;
  const { path, writer, commits } = await openLog(() => {
    for (const begin of beginnings.splice(0)) begin();
    checkpointer.noteCommit();
  });
  const permits = new Permits({ count: 2, queueLimit: 10, waitLimitMs: 60_000 });
  const checkpointer: Checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 100 * kibibyte,
    largeBytes: 400 * kibibyte,
    pageBytes: 4096,
    intervalMs: 1,
    start: async () => startCheckpointWorker(path, ["busy_timeout = 5000"], undefined),
    hold: (work) => commits.between(work),
    async withoutScans(work) {
      isHeld = true;
      const resume = await permits.pause(60_000);
      await work();
      isHeld = false;
      resume?.();
    },
    onLoss: (error) => commits.fail(error),
  });
  const body = "x".repeat(20 * kibibyte);
  const salts = new Set<number>();
  let written = 0;
  const write = async (): Promise<void> => {
    const number = (written += 1);
    await commits.write((unit) =>
      unit.run(statement`replace into notes (id, body) values (${number % rows}, ${body})`),
    );
    salts.add(await logSalt(`${path}-wal`));
  };
  // Each scan begins right after a commit, so that it needs the log, and ends after the next scan
  // of the other lane has begun, unless scans are paused.
  let isOver = false;
  let begun = 0;
  const scans = async (): Promise<void> => {
    const reader = new SqliteConnection(path, { readonly: true });
    while (!isOver) {
      const release = await permits.take("share");
      if (!isOver)
        await new Promise<void>((resolve) => {
          beginnings.push(() => {
            reader.run("begin", []);
            reader.run("select count(*) from notes", []);
            resolve();
          });
        });
      const own = (begun += 1);
      while (begun === own && !isHeld && !isOver) await Bun.sleep(1);
      if (reader.inTransaction) reader.run("commit", []);
      release();
    }
    reader.close();
  };
  const lane = async (): Promise<void> => {
    while (salts.size < restarts) await write();
    isOver = true;
    for (const begin of beginnings.splice(0)) begin();
  };
  await Promise.all([scans(), scans(), lane()]);
  await checkpointer.close();
  await commits.close();
  expect(writer.run("select count(*) as n from notes", []).rows).toEqual([{ n: rows }]);
  expect(writer.run("pragma integrity_check", []).rows).toEqual([{ integrity_check: "ok" }]);
  writer.close();
});

test("a log that a scan needs is checked twice, and then left for a while", async () => {
  const walPath = join(await temporaryDirectory("log"), "svc.db-wal");
  await Bun.write(walPath, "a log");
  let looks = 0;
  const worker = Object.assign(new EventEmitter(), {
    postMessage() {
      looks += 1;
      const pass = { logPages: 1_000 + 400 * looks, movedPages: 10 };
      setImmediate(() => worker.emit("message", { pass }));
    },
    terminate: () => Promise.resolve(0),
  });
  const refuse = (): Promise<void> => Promise.reject(new Error("no one waits for this log"));
  const checkpointer = new Checkpointer({
    walPath,
    smallBytes: 1,
    largeBytes: 4096 * 1_000,
    pageBytes: 4096,
    intervalMs: 1,
    start: () => Promise.resolve(worker),
    hold: refuse,
    withoutScans: refuse,
    onLoss: (error) => expect.unreachable(error.message),
  });
  const begunAt = performance.now();
  for (let commit = 0; commit < 20; commit += 1) {
    checkpointer.noteCommit();
    await Bun.sleep(5);
  }
  await checkpointer.close();
  const pauses = Math.floor((performance.now() - begunAt) / 500);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(2 * (1 + pauses));
});

test("after a failed sync of moved pages, every write is refused", async () => {
  const { path, writer, commits } = await openLog(() => checkpointer.noteCommit());
  const lost = Promise.withResolvers<StorageError>();
  let starts = 0;
  const checkpointer: Checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 1,
    largeBytes: 400 * kibibyte,
    pageBytes: 4096,
    intervalMs: 1,
    start: async () => {
      starts += 1;
      // Not an open descriptor: each sync fails.
      return startCheckpointWorker(path, ["busy_timeout = 5000"], 2 ** 30);
    },
    hold: (work) => commits.between(work),
    withoutScans: () => Promise.resolve(),
    onLoss: (error) => {
      commits.fail(error);
      lost.resolve(error);
    },
  });
  const write = () =>
    commits.write((unit) => unit.run(statement`insert into notes (body) values ('a')`));
  await write();
  expect(await lost.promise).toBeInstanceOf(StorageError);
  await expect(write()).rejects.toThrow(/start again/);
  checkpointer.noteCommit();
  await checkpointer.close();
  expect(starts).toBe(1);
  await commits.close();
  writer.close();
});

/** Changes with each restart of the log (SQLite file format, 4.1: bytes 16 to 19). */
async function logSalt(path: string): Promise<number> {
  const header = await Bun.file(path).slice(0, 32).bytes();
  return new DataView(header.buffer, header.byteOffset).getUint32(16);
}
