import { expect, test } from "vitest";
import { mappedBody, textOf } from "#server/domains/webhook-sources/mapping.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };

test.each([
  ["JSON", {}, '{"a":[1]}', { a: [1] }],
  ["JSON whatever its media type", { "content-type": "text/plain" }, "12", 12],
  ["the payload of a form", form, `payload=${encodeURIComponent('{"a":1}')}`, { a: 1 }],
  ["a form without a payload as text", form, "a=1&b=2", "a=1&b=2"],
  ["text that is no JSON", {}, "hello", "hello"],
  ["an empty body as text", {}, "", ""],
])("a mapping sees %s", (_, headers, body, expected) => {
  expect(mappedBody(headers, bytesOf(body))).toEqual(expected);
});

test("a mapping sees null for bytes that are not UTF-8", () => {
  const bytes = Uint8Array.of(0xc3, 0x28);
  expect(textOf(bytes)).toBeNull();
  expect(mappedBody({}, bytes)).toBeNull();
});
