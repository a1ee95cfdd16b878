import { expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  databaseUrlOf,
  lockDataDirectory,
  requireData,
  sizeOf,
  sqliteFileOf,
} from "#server/platform/storage-location.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("the database is in the data directory unless another one is named", () => {
  const dataDirectory = "/data";
  expect(databaseUrlOf({ dataDirectory })).toBe("sqlite:/data/svc.db");
  expect(sqliteFileOf({ dataDirectory })).toBe("/data/svc.db");
  const postgresql = { dataDirectory, databaseUrl: "postgres://db.test/x" };
  expect([databaseUrlOf(postgresql), sqliteFileOf(postgresql)]).toEqual([
    "postgres://db.test/x",
    undefined,
  ]);
});

test("a directory without data is refused, and an empty file is none", async () => {
  const dataDirectory = await temporaryDirectory();
  expect(() => requireData({ dataDirectory })).toThrow(expect.objectContaining({ code: "E202" }));
  await writeFile(join(dataDirectory, "svc.db"), "");
  expect(() => requireData({ dataDirectory })).toThrow("Platform data in");
  await writeFile(join(dataDirectory, "svc.db"), "x");
  requireData({ dataDirectory });
  expect(sizeOf(join(dataDirectory, "svc.db"))).toBe(1);
});

test("a directory is locked for a database elsewhere", async () => {
  const directory = await temporaryDirectory();
  (await lockDataDirectory(directory, undefined)).release();
  const lock = await lockDataDirectory(directory, "postgres://db.test/x");
  await expect(lockDataDirectory(directory, "postgres://db.test/x")).rejects.toMatchObject({
    name: "DataDirectoryInUseError",
  });
  lock.release();
});
