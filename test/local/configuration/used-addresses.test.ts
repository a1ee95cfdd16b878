import { expect, test } from "vitest";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFirstUse } from "#local/configuration/used-addresses.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("an address is new once, and the file is private", async () => {
  const directory = join(await temporaryDirectory(), "svc");
  expect(await isFirstUse(directory, "https://a.test")).toBe(true);
  expect(await isFirstUse(directory, "https://a.test")).toBe(false);
  expect(await isFirstUse(directory, "https://b.test")).toBe(true);
  expect((await stat(join(directory, "addresses.json"))).mode & 0o777).toBe(0o600);
  await writeFile(join(directory, "addresses.json"), "damaged");
  expect(await isFirstUse(directory, "https://a.test")).toBe(true);
});

test("each use is a first one where nothing can be noted", async () => {
  const missing = join(await temporaryDirectory(), "none/svc");
  expect(await isFirstUse(missing, "https://a.test")).toBe(true);
  expect(await isFirstUse(missing, "https://a.test")).toBe(true);
});
