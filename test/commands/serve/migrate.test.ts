import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "#server/schema/migrations.ts";
import { openDatabase } from "#server/database/database.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { start } from "./data-directories.ts";

const newest = migrations.at(-1)?.name ?? "";

describeEachDatabase("svc serve migrate", ({ engine, create }) => {
  test("runs the pending migrations, lists them, and then has nothing to do", async () => {
    const dataDir = await temporaryDirectory("migrate");
    const server = engine === "sqlite" ? undefined : await create();
    if (server !== undefined) onTestFinished(() => server.drop());
    const url = server?.url ?? `sqlite:${join(dataDir, "svc.db")}`;
    const older = await openDatabase({ url, migrations: migrations.slice(0, -2) });
    await older.close();
    const words = ["serve", "migrate", "--data-dir", dataDir, "--format", "json"];
    if (server !== undefined) words.push("--database-url", server.url);

    const due = migrations.slice(-2).map(({ name }) => name);
    expect(await runCommand(words)).toMatchObject({
      exitCode: 0,
      json: { applied: due, schema: newest },
    });
    if (engine === "sqlite") {
      expect(await readdir(join(dataDir, "backups"))).toEqual([
        expect.stringContaining(`before-${due[0]}`),
      ]);
    }
    expect(await runCommand(words)).toMatchObject({
      exitCode: 0,
      json: { applied: [], schema: newest },
      stderr: `Up to date: ${newest}\n`,
    });
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
