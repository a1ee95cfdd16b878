import { expect, test } from "vitest";
import {
  formatError,
  inputError,
  interruptedError,
  missingField,
  usageError,
  usageFormatError,
} from "#cli/errors.ts";

test.each([
  [usageError("d", "h"), "E305", 2],
  [inputError("d", "h"), "E305", 1],
  [interruptedError("h"), "E305", 130],
  [missingField("--name", "h"), "E303", 2],
  [usageFormatError("d", "f"), "E304", 2],
  [formatError("d", "f", "h"), "E304", 1],
])("%s has its code and exit code", (error, code, exitCode) => {
  expect([error.code, error.exitCode]).toEqual([code, exitCode]);
});

test("a hint replaces the usual next step only if it is given", () => {
  expect(usageError("d", "Type it again").hint).toBe("Type it again");
  expect(usageError("d").hint).toBe(usageError("other").hint);
});
