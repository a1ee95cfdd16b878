import { expect, test } from "vitest";
import { JsonText, TextPieces, textInParts } from "#server/kit/lists/json-text.ts";

test("the text in parts is the JSON text of the body, and other work runs between its parts", async () => {
  const item = { text: "x".repeat(1_000), list: [1, { a: null }] };
  const items = Array.from({ length: 60 }, () => ({ toJSON: () => afterAMillisecond(item) }));
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 0);
  const whole = await textInParts("a", "items", { items, hasMore: true, nextCursor: "c" });
  clearInterval(timer);
  const expected = JSON.stringify({ items, hasMore: true, nextCursor: "c" });
  expect(whole.text === expected).toBe(true);
  expect(ticks).toBeGreaterThan(0);
  expect((await textInParts("a", "items", { items: [] })).text).toBe(`{"items":[]}`);
  expect((await textInParts("a", "results", { results: [1, 2] })).text).toBe(`{"results":[1,2]}`);
});

test("short pieces of a text become one part, and long ones stay as they are", () => {
  const long = "l".repeat(20_000);
  const partsOf = (...all: readonly string[]): readonly string[] => {
    const pieces = new TextPieces();
    for (const piece of all) pieces.add(piece);
    return pieces.end();
  };
  expect(partsOf()).toEqual([""]);
  expect(partsOf("[", "1", ",", "2", "]")).toEqual(["[1,2]"]);
  expect(partsOf(long, "a", "b", long)).toEqual([long, "ab", long]);
  expect(partsOf("a", long, "b")).toEqual(["a", long, "b"]);
  expect(new JsonText("a", "b", long).parts).toEqual(["ab", long]);
});

/** Takes the same time on each machine. */
function afterAMillisecond<Value>(value: Value): Value {
  const end = performance.now() + 1;
  while (performance.now() < end);
  return value;
}
