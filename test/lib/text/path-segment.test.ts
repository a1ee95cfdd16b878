import { expect, test } from "vitest";
import { isPathSegment } from "#lib/text/path-segment.ts";

test.each(["a", "...", "a/b", "%2e%2e", ".a", " "])("%j stays one segment of a URL", (text) => {
  expect(isPathSegment(text)).toBe(true);
  const { pathname } = new URL(`http://a.test/x/${encodeURIComponent(text)}/y`);
  expect(pathname.split("/")).toHaveLength(4);
});

test.each(["", ".", ".."])("%j does not", (text) => {
  expect(isPathSegment(text)).toBe(false);
});
