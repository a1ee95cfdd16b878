import { expect, test } from "vitest";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  confirmDatabase,
  refuseMissingDatabase,
  refuseOtherDatabase,
} from "#server/platform/data-marker.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const secretsOf = (name: string): never => ({ for: () => Buffer.from(name) }) as never;

test("a directory belongs to the database with which it was used first", async () => {
  const location = { dataDirectory: await temporaryDirectory() };
  expect(refuseOtherDatabase(location, secretsOf("a"))).toBe(false);
  await confirmDatabase(location, secretsOf("a"));
  await confirmDatabase(location, secretsOf("a"));
  expect(refuseOtherDatabase(location, secretsOf("a"))).toBe(true);
  expect(() => refuseOtherDatabase(location, secretsOf("b"))).toThrow(
    "its files belong to another database",
  );
});

test.each([
  ["a marker", "svc.database", "is missing"],
  ["a write-ahead log", "svc.db-wal", "is missing"],
  ["files", "blobs/x", "is missing"],
  ["a restore", "svc.db.restoring", "its restore was interrupted"],
])("a directory with %s and no database is refused", async (_name, file, words) => {
  const dataDirectory = await temporaryDirectory();
  await mkdir(join(dataDirectory, "blobs"));
  await refuseMissingDatabase({ dataDirectory });
  await writeFile(join(dataDirectory, file), "x");
  await expect(refuseMissingDatabase({ dataDirectory })).rejects.toMatchObject({
    code: "E006",
    message: expect.stringContaining(words),
  });
  await writeFile(join(dataDirectory, "svc.db"), "x");
  await refuseMissingDatabase({ dataDirectory });
});
