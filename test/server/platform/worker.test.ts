import { join } from "node:path";
import { expect, test } from "vitest";
import { newWorker } from "#server/platform/worker.ts";
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
