import { expect, test } from "vitest";
import { countedKeys, keyWords } from "#commands/user/made-keys.ts";

test("keys are counted and named", () => {
  const keys = [{ keyId: "k1", name: "sync" }, { keyId: "k2" }] as never;
  expect(countedKeys(keys)).toMatch(/^2 API keys/);
  expect(keyWords(keys)).toContain("sync");
  expect(keyWords(keys)).toContain("k2");
});
