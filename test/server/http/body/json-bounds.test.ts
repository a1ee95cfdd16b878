import fc from "fast-check";
import { expect, test } from "vitest";
import { beyondBounds } from "#server/http/body/json-bounds.ts";

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"name:${index}":[{},"\\"{:,"]`).join();

test.each([
  ["10,000 names", `{${names(10_000)}}`, undefined],
  ["10,001 names", `{${names(10_001)}}`, "an object in it has more than 10000 names"],
  ["10,001 names deep inside", `[[{"a":[{${names(10_001)}}]}]]`, "an object in it has more than"],
  ["10,000 names in each of two objects", `[{${names(10_000)}},{${names(10_000)}}]`, undefined],
  ["the same name a million times", `{${'"a":1,'.repeat(1_000_000)}"a":1}`, "an object in it has"],
  ["a million items", `[${"1,".repeat(999_999)}1]`, undefined],
  ["more than a million items", `[${"1,".repeat(1_000_000)}1]`, "it has more than 1000000 values"],
  [
    "more than a million lists",
    `[${"[],".repeat(1_000_000)}[]]`,
    "it has more than 1000000 values",
  ],
  ["a text of signs", `["${":,{[".repeat(300_000)}\\\\"]`, undefined],
  ["a text that does not end", `["${":,{[".repeat(300_000)}\\"]`, undefined],
])("%s", (_name, text, fault) => {
  const found = beyondBounds(text);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

test("accepts every small JSON, with any amount of white space", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(beyondBounds(" ".repeat(30_000) + text)).toBeUndefined();
    }),
  );
});
