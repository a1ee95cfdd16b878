import { expect, test } from "vitest";
import { claimedMediaType } from "#server/http/body/claimed-media-type.ts";

test.each([
  ["Text/HTML; charset=utf-8", "a.pdf", "text/html"],
  [undefined, "a.PDF", "application/pdf"],
  ["application/octet-stream", "plan.docx", expect.stringContaining("wordprocessingml")],
  ["no type", "a.csv", "text/csv"],
  ["text/plain\r\nx", "a.md", "text/markdown"],
  [undefined, "constructor", "application/octet-stream"],
  [undefined, "a.constructor", "application/octet-stream"],
  ["", "", "application/octet-stream"],
])("%j with %s is %s", (declared, filename, type) => {
  expect(claimedMediaType(declared, filename)).toEqual(type);
});
