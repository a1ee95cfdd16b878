import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonReading, lossIn } from "#lib/json/loss.ts";

function pathOfLoss(text: string) {
  return lossIn(text, JSON.parse(text))?.path;
}

test("what JSON.stringify writes says no more than its value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      // The one name that is refused: it has its own cases below.
      fc.pre(!text.includes("__proto__"));
      expect(pathOfLoss(text)).toBeUndefined();
    }),
  );
});

test.each([
  ['{"a":1,"a":1}', ["a"]],
  ['{"status":"open" , "amount":{"$gt":1},\n"amount" : {"$lt":5}}', ["amount"]],
  ['[{"a":1},{"a":[0,{"b/c":1,"d":{},"b/c":2}]}]', [1, "a", 1, "b/c"]],
  // The same name in two spellings, and names that an object of ours inherits.
  [String.raw`{"status":1,"st\u0061tus":2}`, ["status"]],
  ['{"a":{"constructor":1,"x":"}","constructor":2}}', ["a", "constructor"]],
  // Strings that end in a backslash, and that hold quotes, colons and brackets.
  [String.raw`{"a\\":":","b":"\"}{\":","a\\":2}`, ["a\\"]],
])("the first repeated name is found: %s", (text, path) => {
  expect(pathOfLoss(text)).toEqual(path);
});

test.each([
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
  '{"a":"\\"a\\":1,\\"a\\":2"}',
  '{"constructor":2,"a":"__proto__"}',
  '{"":1,"a":[]}',
  '"a: a"',
  "null",
])("names that occur once in each object are no loss: %s", (text) => {
  expect(pathOfLoss(text)).toBeUndefined();
});

test.each([
  ['{"a":1,"__proto__":1}', ["__proto__"]],
  ['[0,{"a":{"__proto__":{}}}]', [1, "a", "__proto__"]],
  [String.raw`{"__\u0070roto__":1}`, ["__proto__"]],
])("a name that copies of the value would lack is found: %s", (text, path) => {
  expect(lossIn(text, JSON.parse(text))).toEqual({ path, detail: "is not a usable name" });
});

test.each([
  ["1e400", []],
  ['{"a":[1e308,{"b": -1E+309}]}', ["a", 1, "b"]],
  [`[0,${"9".repeat(310)}.5]`, [1]],
])("a number that would come back as null is found: %s", (text, path) => {
  expect(lossIn(text, JSON.parse(text))).toEqual({ path, detail: "is a number out of range" });
});

test("powers of ten in range and in texts are none", () => {
  expect(pathOfLoss('{"1e400":"1e400","a":[1e308,1e-400],"b":"[1e400]"}')).toBeUndefined();
});

test("says of each loss what to do", () => {
  const detailOf = (text: string) => lossIn(text, JSON.parse(text))?.detail;
  expect(detailOf('{"a":1,"a":2}')).toBe("is given more than once: give it one value");
  expect(detailOf("[9007199254740993]")).toBe(
    "has more digits than a number keeps: send it as text",
  );
});

test("text of any depth is read, and what is too deep is not even parsed", () => {
  const nested = (levels: number, inner: string): string =>
    "[".repeat(levels) + inner + "]".repeat(levels);
  const loss = { path: [], detail: "nests deeper than 1000 levels" };
  for (const inner of [
    "1",
    "9007199254740993",
    '{"__proto__":1}',
    '{"a":1,"a":2}',
    "",
    "nothing",
  ]) {
    expect(jsonReading(nested(100_000, inner))).toEqual({ value: undefined, loss });
    // A loss is found at the greatest accepted depth.
    const text = nested(999, inner);
    const found = jsonReading(text);
    if (inner === "nothing") expect(found).toEqual({ value: undefined, loss: undefined });
    else if (inner === "1" || inner === "") expect(found.loss).toBeUndefined();
    else expect(found.loss?.path.slice(0, 999)).toEqual(Array.from({ length: 999 }, () => 0));
  }
  expect(jsonReading(nested(1001, "")).loss).toEqual(loss);
  expect(jsonReading(nested(1000, "")).loss).toBeUndefined();
  expect(jsonReading(JSON.stringify("[".repeat(2000)))).toEqual({
    value: "[".repeat(2000),
    loss: undefined,
  });
});
