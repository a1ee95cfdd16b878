import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonItems } from "#commands/resources/batch/json-items.ts";

function split(chunks: readonly string[], longest = 1000): string[] {
  const items = new JsonItems(longest);
  return [...chunks.flatMap((chunk) => items.push(chunk)), ...items.end()];
}

describe("items of a list and values one after the other", () => {
  const cases: [string, string, string[]][] = [
    ["a list", '[{"a":1},{"b":[2,3]}]', ['{"a":1}', '{"b":[2,3]}']],
    ["an empty list", " [ ] ", []],
    ["texts and numbers", '["x,y]", 3 ,null]', ['"x,y]"', "3", "null"]],
    ["lines", '{"a":1}\n{"b":"}"}\r\n\n{"c":3}', ['{"a":1}', '{"b":"}"}', '{"c":3}']],
    ["lines of texts", '"one two"\n"three"', ['"one two"', '"three"']],
    [
      "one value over several lines",
      '{\n  "a": [\n    1\n  ]\n}\n',
      ['{\n  "a": [\n    1\n  ]\n}'],
    ],
    ["values with nothing between them", '{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']],
    ["escaped quotes", '[{"a":"\\"}, {\\\\"},{"b":2}]', ['{"a":"\\"}, {\\\\"}', '{"b":2}']],
    ["a byte order mark", '\ufeff[{"a":1}]', ['{"a":1}']],
    ["nothing", " \n", []],
    ["a comma too many", "[1,]", ["1", ""]],
  ];
  test.each(cases)("%s", (_what, text, items) => {
    expect(split([text])).toEqual(items);
    expect(split(text.split(""))).toEqual(items);
  });

  test.each([
    ["[1,2", "the list does not end"],
    ["[1] 2", "something follows the list"],
    ['["', "the list does not end"],
  ])("%s is refused: %s", (text, reason) => {
    expect(() => split([text])).toThrow(reason);
  });

  test("an item has a longest length", () => {
    expect(() => split(['[{"a":"', "x".repeat(2000)], 1024)).toThrow(
      "an item is longer than 0 MiB",
    );
    expect(split(["[1,", " ".repeat(900), "2]"])).toEqual(["1", "2"]);
  });

  test("an item that nests too deep is known at once, and after those before it", () => {
    const deep = (levels: number): string => "[".repeat(levels);
    const flat = (levels: number): string => deep(levels) + "]".repeat(levels);
    const known = (text: string) => {
      const items = new JsonItems(10_000);
      const taken = items.push(text);
      expect(() => items.push(" ")).toThrow("nests deeper than 1000 levels");
      expect(() => items.end()).toThrow(expect.objectContaining({ index: taken.length }));
      return taken;
    };
    expect(known(`[1,{"a":${deep(1000)}`)).toEqual(["1"]);
    expect(known(`{"a":"["}\n{"b":2}{"a":${deep(1000)}`)).toEqual(['{"a":"["}', '{"b":2}']);
    expect(known(`${deep(1002)}`)).toEqual([]);
    // An item of a list may nest as deep as a single value.
    expect(split([`[${flat(1000)},2]`], 10_000)).toEqual([flat(1000), "2"]);
    expect(split([`{"a":${flat(999)}}`], 10_000)).toEqual([`{"a":${flat(999)}}`]);
  });

  test("wherever chunks end, the items are the same as JSON's", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.boolean(),
        fc.array(fc.nat({ max: 40 })),
        (values, isList, cuts) => {
          const lines = values.map((value) => JSON.stringify(value));
          const text = isList
            ? JSON.stringify(values, null, 1)
            : lines.map((l) => `${l}\n`).join("");
          if (!isList && /^\s*\[/.test(text)) return;
          const chunks: string[] = [];
          let rest = text;
          for (const cut of cuts) {
            chunks.push(rest.slice(0, cut));
            rest = rest.slice(cut);
          }
          const found = split([...chunks, rest], 100_000);
          expect(found.map((item) => JSON.stringify(JSON.parse(item)))).toEqual(lines);
        },
      ),
    );
  });
});
