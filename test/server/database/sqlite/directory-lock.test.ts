import { expect, test } from "vitest";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockDirectory } from "#server/database/sqlite/directory-lock.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a directory is locked once, by its owner only", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "lock");
  await writeFile(path, "", { mode: 0o644 });
  const lock = lockDirectory(path, directory);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(() => lockDirectory(path, directory)).toThrow(
    expect.objectContaining({ name: "DataDirectoryInUseError" }),
  );
  lock.release();
  lockDirectory(path, directory).release();
});
