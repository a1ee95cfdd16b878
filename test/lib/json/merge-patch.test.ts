import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergePatched, mergePatchTo } from "#lib/json/merge-patch.ts";

/** RFC 7396, 2, on any JSON. */
function oracle(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
  const result = new Map(isObject ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, oracle(result.get(name), value));
  }
  return Object.fromEntries(result);
}

describe("a JSON Merge Patch", () => {
  test.for([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ] as const)("of %j with %j is %j", ([target, patch, wanted]) => {
    expect(mergePatched(target, patch)).toEqual(wanted);
  });

  test("does what RFC 7396 says, to any data, and changes neither", () => {
    const data = fc.dictionary(
      fc.constantFrom("a", "b", "__proto__", "constructor"),
      fc.json().map((text): unknown => JSON.parse(text)),
    );
    fc.assert(
      fc.property(data, data, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        expect(JSON.stringify(mergePatched(target, patch))).toBe(
          JSON.stringify(oracle(target, patch)),
        );
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });
});

test("the patch to a value makes it, and says no more than it must", () => {
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 2 }));
  const name = fc.constantFrom("a", "b", "c");
  const { value } = fc.letrec<{ value: object }>((tie) => ({
    value: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, leaf, tie("value"))),
  }));
  fc.assert(
    fc.property(value, value, (before, wanted) => {
      const patch = Object(mergePatchTo(wanted, before));
      expect(mergePatched({ ...before }, patch)).toEqual(wanted);
    }),
    { numRuns: 50 },
  );
  expect(mergePatchTo({ a: 1, b: { c: 2 } }, { a: 1, b: { d: 3 } })).toEqual({
    b: { c: 2, d: null },
  });
  expect(mergePatchTo(undefined, { a: 1 })).toBeNull();
});
