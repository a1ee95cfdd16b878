import { expect, test } from "vitest";
import { readdir, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { allocateContextFile, removeOldContextFiles } from "#local/configuration/context-files.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a file is private and new each time, and is removed after a day", async () => {
  const directory = await temporaryDirectory();
  const [one, other] = [await allocateContextFile(directory), await allocateContextFile(directory)];
  expect(one).not.toBe(other);
  expect((await stat(one)).mode & 0o777).toBe(0o600);
  const old = new Date(Date.now() - 25 * 3_600_000);
  await utimes(one, old, old);
  await removeOldContextFiles(directory, Date.now());
  expect(await readdir(dirname(one))).toHaveLength(1);
});
