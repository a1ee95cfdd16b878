import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CursorFile } from "#commands/watch/cursor-file.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const inFolder = async (name: string): Promise<string> => join(await temporaryDirectory(), name);

test("a missing or empty file has no cursor", async () => {
  const path = await inFolder("cursor");
  expect(await new CursorFile(path).read()).toBeUndefined();
  await writeFile(path, "\n");
  expect(await new CursorFile(path).read()).toBeUndefined();
});

test("the newest of many cursors is in the file once all are saved", async () => {
  const path = await inFolder("cursor");
  const file = new CursorFile(path);
  for (let each = 0; each <= 200; each += 1) file.save(`cursor.${each}`);
  await file.saved();
  expect(await readFile(path, "utf8")).toBe("cursor.200\n");
  expect(await new CursorFile(path).read()).toBe("cursor.200");
});

test("a file with other content is refused and stays as it is", async () => {
  const path = await inFolder("notes");
  await writeFile(path, "# Notes\nBuy milk");
  await expect(new CursorFile(path).read()).rejects.toThrow("has no cursor");
  expect(await readFile(path, "utf8")).toContain("Buy milk");
});

test("a pipe and a long file have no cursor, and end at once", async () => {
  const path = await inFolder("pipe");
  await Bun.spawn(["mkfifo", path]).exited;
  await expect(new CursorFile(path).read()).rejects.toThrow("it is not a regular file");
  const long = await inFolder("long");
  await writeFile(long, "a".repeat(9_000));
  await expect(new CursorFile(long).read()).rejects.toThrow("has no cursor");
});

test("a cursor that cannot be saved is an error of the next call, and not before", async () => {
  const path = await inFolder("folder");
  await mkdir(path);
  const file = new CursorFile(path);
  file.save("a.1");
  await expect(file.saved()).rejects.toThrow("could not be saved");
  expect(() => file.save("a.2")).toThrow("could not be saved");
});
