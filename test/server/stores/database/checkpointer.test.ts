import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Checkpointer } from "#server/stores/database/checkpointer.ts";
import { GroupCommit } from "#server/stores/database/group-commit.ts";
import { SqliteConnection } from "#server/stores/database/sqlite-connection.ts";
import { startSqliteWorker } from "#server/stores/database/sqlite-worker.ts";
import { statement } from "#server/stores/database/statement.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const kibibyte = 1024;

test("the log stays short while writers never pause", async () => {
  const path = join(await temporaryDirectory("log"), "svc.db");
  const writer = new SqliteConnection(path, { readonly: false });
  const pragmas = ["journal_mode = wal", "synchronous = normal", "wal_autocheckpoint = 0"];
  for (const pragma of pragmas) writer.execute(`pragma ${pragma}`);
  writer.execute("create table notes (id integer primary key, body text)");

  const commits: GroupCommit = new GroupCommit(writer, {
    queueLimit: 100,
    batchLimit: 100,
    unitTimeoutMs: 5_000,
    onCommit: () => checkpointer.noteCommit(),
  });
  const checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 100 * kibibyte,
    largeBytes: 400 * kibibyte,
    pageBytes: 4096,
    intervalMs: 1,
    start: async () => startSqliteWorker("checkpoint", path, ["busy_timeout = 5000"]),
    finish: () => commits.between(() => void writer.run("pragma wal_checkpoint(passive)", [])),
  });
  let longest = 0;
  const body = "x".repeat(20 * kibibyte);
  // Two lanes, so that one unit always waits while the other is written: 40 MiB in all.
  const lane = async (): Promise<void> => {
    for (let round = 0; round < 1_000; round += 1) {
      await commits.write((unit) => unit.run(statement`insert into notes (body) values (${body})`));
      longest = Math.max(longest, (await stat(`${path}-wal`)).size);
    }
  };
  await Promise.all([lane(), lane()]);
  await checkpointer.close();
  await commits.close();
  expect(longest).toBeLessThan(20 * kibibyte * kibibyte);
  expect(writer.run("select count(*) as n from notes", []).rows).toEqual([{ n: 2_000 }]);
  writer.close();
});
