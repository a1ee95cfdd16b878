import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#server/database/open.ts";
import type { Migration } from "#server/database/migration.ts";
import { raw } from "#server/database/statement.ts";
import { migrateData } from "#server/platform/maintenance/migrate-data.ts";
import { migrations } from "#server/schema/migrations.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { start } from "./data-directories.ts";

const newest = migrations.at(-1)?.name ?? "";

const table = (number: number): Migration => ({
  name: `000${number}-t${number}`,
  up: (context) => context.run(raw(`create table t${number} (a integer)`)),
});

describeEachDatabase("svc serve migrate", ({ engine, create }) => {
  /** A data directory whose database has these migrations. */
  const older = async (given: readonly Migration[]) => {
    const dataDir = await temporaryDirectory("migrate");
    const server = engine === "sqlite" ? undefined : await create();
    if (server !== undefined) onTestFinished(() => server.drop());
    const url = server?.url ?? `sqlite:${join(dataDir, "svc.db")}`;
    await (await openDatabase({ url, migrations: given })).close();
    return { dataDir, databaseUrl: server?.url };
  };

  test("runs the pending migrations, lists them, and then has nothing to do", async () => {
    const { dataDir, databaseUrl } = await older([]);
    const words = ["serve", "migrate", "--data-dir", dataDir, "--format", "json"];
    if (databaseUrl !== undefined) words.push("--database-url", databaseUrl);
    expect(await runCommand(words)).toMatchObject({
      exitCode: 0,
      json: { applied: migrations.map(({ name }) => name), schema: newest },
    });
    expect(await runCommand(words)).toMatchObject({
      exitCode: 0,
      json: { applied: [], schema: newest },
      stderr: `Up to date: ${newest}\n`,
    });
  });

  test("copies a SQLite database before the first pending migration", async () => {
    const { dataDir, databaseUrl } = await older([table(1)]);
    const places = { dataDirectory: dataDir, databaseUrl };
    const schema = [table(1), table(2), table(3)];
    const migrate = () => migrateData(places, async () => {}, schema);
    expect(await migrate()).toEqual({ applied: ["0002-t2", "0003-t3"], schema: "0003-t3" });
    if (engine === "sqlite") {
      expect(await readdir(join(dataDir, "backups"))).toEqual([
        expect.stringContaining("before-0002-t2"),
      ]);
    }
    expect(await migrate()).toEqual({ applied: [], schema: "0003-t3" });
  });
});

test("svc serve migrate refuses a directory in use, and one without platform data", async () => {
  const { dataDirectory } = await start();
  expect(await runCommand(["serve", "migrate", "--data-dir", dataDirectory])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`the data directory ${dataDirectory} is in use`),
  });
  const empty = await temporaryDirectory("empty");
  expect(await runCommand(["serve", "migrate", "--data-dir", empty])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`Platform data in ${empty} not found`),
  });
  expect(await readdir(empty)).toEqual([]);
});
