import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writerMark } from "#lib/writer-mark.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { createTestPlatform } from "#test/support/platform.ts";
import { createSqliteDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const writerMarks = join(import.meta.dirname, "../../../../src/lib/writer-mark.ts");

test("a backup removes what a killed one has left, and nothing of a running one", async () => {
  const folder = await temporaryDirectory("backups");
  const ended = Bun.spawnSync([
    process.execPath,
    "-e",
    `console.log(await (await import(${JSON.stringify(writerMarks)})).writerMark())`,
  ]);
  const left = `monday.partial-${ended.stdout.toString().trim()}-${crypto.randomUUID()}`;
  const running = `tuesday.partial-${String(await writerMark())}-${crypto.randomUUID()}`;
  for (const name of [left, running, "plans.partial-1"]) {
    await mkdir(join(folder, name, "files"), { recursive: true });
  }
  const the = await createTestPlatform({ database: await createSqliteDatabase() });
  const { dataDirectory, databaseUrl } = the;
  await the.close();
  const { output } = await takeBackup({
    dataDirectory,
    databaseUrl,
    output: join(folder, "wednesday"),
  });
  expect(dirname(output)).toBe(folder);
  expect((await readdir(folder)).toSorted()).toEqual(
    ["plans.partial-1", running, basename(output)].toSorted(),
  );
});
