import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepAddress, keptAddress, newWorker } from "#server/platform/worker.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("each start on a data directory is another worker, which knows the one before", async () => {
  const directory = await temporaryDirectory("data");
  const first = newWorker(directory);
  const second = newWorker(directory);
  expect(first.earlierId).toBeUndefined();
  expect(second.earlierId).toBe(first.id);
  expect(second.id).not.toBe(first.id);
});

test("workers of two directories know nothing of each other", async () => {
  const one = newWorker(await temporaryDirectory("data"));
  const other = newWorker(await temporaryDirectory("data"));
  expect(other.earlierId).toBeUndefined();
  expect(other.id).not.toBe(one.id);
});

test("a file that a power cut has filled with zero bytes names no worker", async () => {
  const directory = await temporaryDirectory("data");
  newWorker(directory);
  await Bun.write(join(directory, "svc.worker"), new Uint8Array(37));
  expect(newWorker(directory).earlierId).toBeUndefined();
});

test.each([
  ["http://127.0.0.1:4400\n", "http://127.0.0.1:4400"],
  ["", undefined],
  ["\0\0\0\0", undefined],
  ["file:///etc/passwd", undefined],
  ["http://", undefined],
  [`http://${"a".repeat(3_000)}`, undefined],
])("the kept address %j is read as %s", async (content, expected) => {
  const directory = await temporaryDirectory("address");
  expect(keptAddress(directory)).toBeUndefined();
  await writeFile(join(directory, "svc.address"), content);
  expect(keptAddress(directory)).toBe(expected);
  keepAddress(directory, "http://localhost:1");
  expect(keptAddress(directory)).toBe("http://localhost:1");
  // A folder that is gone keeps no address, and a start does not fail of it.
  keepAddress(join(directory, "gone"), "http://localhost:1");
});
