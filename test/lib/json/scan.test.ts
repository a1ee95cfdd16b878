import { expect, test } from "vitest";
import { isTooDeep, jsonCounts, mark, scanJson, type Inside } from "#lib/json/scan.ts";

function marksOf(text: string, from?: number, inside?: Inside): string[] {
  const found: string[] = [];
  scanJson(
    text,
    (_code, start, end) => {
      found.push(text.slice(start, end + 1));
    },
    from,
    inside,
  );
  return found;
}

test.each([
  ['{"a": [1, "b,]"]}', ["{", '"a"', ":", " ", "[", ",", " ", '"b,]"', "]", "}"]],
  [String.raw`["\"", "\\"]`, ["[", String.raw`"\""`, ",", " ", String.raw`"\\"`, "]"]],
  ["\ufeff\t1\r\n", ["\ufeff", "\t", "\r", "\n"]],
  ["\u00011", []],
])("the marks of %j are found", (text, marks) => {
  expect(marksOf(text)).toEqual(marks);
});

test.each<[string, Inside]>([
  ['{"a": "b', "string"],
  [String.raw`["a\\`, "string"],
  [String.raw`["a\ `.trim(), "escape"],
  ["[1, ", undefined],
])("a part of a text that ends in %j says where it ends", (text, inside) => {
  expect(scanJson(text, () => undefined)).toBe(inside);
});

test("a scan continues inside of a string", () => {
  expect(marksOf('b", 1]', 0, "string")).toEqual([",", " ", "]"]);
  expect(marksOf('"b", 1]', 0, "escape")).toEqual([",", " ", "]"]);
  expect(scanJson("abc", () => undefined, 0, "string")).toBe("string");
});

test("a visitor stops the scan", () => {
  let count = 0;
  scanJson("[1,2,3,4]", (code) => {
    count += 1;
    return code === mark.comma;
  });
  expect(count).toBe(2);
});

test("the parts of a text are counted", () => {
  expect(jsonCounts('{"a:": [1, {"b": "]"}], "c": 2}')).toEqual({ depth: 3, names: 3, values: 3 });
  expect(jsonCounts("1")).toEqual({ depth: 0, names: 0, values: 1 });
});

test("a text is too deep from 1,001 levels", () => {
  const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect(isTooDeep(nested(1_000))).toBe(false);
  expect(isTooDeep(nested(1_001))).toBe(true);
  expect(isTooDeep(`[${"[],".repeat(2_000)}1]`)).toBe(false);
});
