import { expect, test } from "vitest";
import {
  accepts,
  bearerToken,
  idempotencyKey,
  ifMatch,
  withoutRange,
} from "#server/http/request-headers.ts";

const headers = (fields: Record<string, string>): Headers => new Headers(fields);

test.each([
  ["Bearer abc", "abc"],
  ["bearer   abc", "abc"],
  ["Bearer ", undefined],
  ["Basic abc", undefined],
  [`Bearer ${"x".repeat(8_193)}`, undefined],
])("the token of %s", (authorization, token) => {
  expect(bearerToken({ headers: headers({ authorization }) })).toBe(token);
});

test("a key is bare or quoted, and other characters are refused", () => {
  const read = (key: string) => idempotencyKey(headers({ "idempotency-key": key }));
  expect([read("k-1"), read('"k-1"'), idempotencyKey(headers({}))]).toEqual([
    "k-1",
    "k-1",
    undefined,
  ]);
  expect(() => read("a b")).toThrow(expect.objectContaining({ code: "malformed-request" }));
  expect(() => read("x".repeat(256))).toThrow();
});

test.each([
  ["text/csv", true],
  ["text/html, Text/CSV;q=0.5", true],
  ["text/csv;q=0", false],
  ["text/csv; q=0.000", false],
  ["text/*", false],
])("Accept %s has text/csv: %s", (accept, holds) => {
  expect(accepts(headers({ accept }), "text/csv")).toBe(holds);
});

test.each([
  ["*", { any: true, versions: [] }],
  ['"3", "4"', { any: false, versions: [3, 4] }],
  ['W/"3", "03", "x"', { any: false, versions: [] }],
])("If-Match %s", (field, match) => {
  expect(ifMatch(headers({ "if-match": field }))).toEqual(match);
});

test("a HEAD request has no range", () => {
  const given = headers({ range: "bytes=0-1", accept: "a/b" });
  expect([...withoutRange(given).keys()]).toEqual(["accept"]);
  expect(given.has("range")).toBe(true);
});
