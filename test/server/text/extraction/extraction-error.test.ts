import { expect, test } from "vitest";
import {
  corrupt,
  ExtractionError,
  isExtractionErrorCode,
  toExtractionError,
} from "#server/text/extraction/extraction-error.ts";

test("any parser's error becomes one with a code and no path", () => {
  const own = new ExtractionError("encrypted", "protected");
  expect(toExtractionError(own, "PDF")).toBe(own);
  expect(toExtractionError(new RangeError("Out of memory"), "PDF").code).toBe("out-of-memory");
  expect(toExtractionError(new RangeError("Invalid length"), "PDF").code).toBe("corrupt");
  const cause = new Error("/tmp/x: broken");
  const damaged = toExtractionError(cause, "picture");
  expect(damaged.message).toMatch(/^This picture could not be read/);
  expect(damaged.message).not.toContain("/tmp");
  expect(damaged.cause).toBe(cause);
  expect(corrupt("PDF").code).toBe("corrupt");
});

test("only known codes of a child are taken", () => {
  expect(["timed-out", "TIMED-OUT", 7, undefined].map(isExtractionErrorCode)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
