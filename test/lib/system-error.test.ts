import { expect, test } from "vitest";
import { systemErrorCode, systemErrorWords, writeErrorWords } from "#lib/system-error.ts";

const failed = (code: unknown): Error => Object.assign(new Error("failed"), { code });

test.each([
  [failed("ENOENT"), "ENOENT", "it does not exist", "its folder does not exist"],
  [failed("ENOSPC"), "ENOSPC", ...twice("there is no space left on the device")],
  [failed("EXDEV"), "EXDEV", ...twice("it failed (EXDEV)")],
  [failed("E102"), undefined, ...twice("it failed")],
  [failed(7), undefined, ...twice("it failed")],
  [new Error("ENOENT"), undefined, ...twice("it failed")],
  [{ code: "ENOENT" }, undefined, ...twice("it failed")],
])("%s has the code %s", (error, code, words, written) => {
  expect(systemErrorCode(error)).toBe(code);
  expect(systemErrorWords(error)).toBe(words);
  expect(writeErrorWords(error)).toBe(written);
});

function twice(words: string): [string, string] {
  return [words, words];
}
