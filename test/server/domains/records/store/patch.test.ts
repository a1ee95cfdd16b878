import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import {
  difference,
  removal,
  reverted,
  type PatchOperation,
} from "#server/domains/records/store/patch.ts";

const names = fc.constantFrom("a", "b", "a/b", "a~b", "~1", "", "constructor");
const scalars = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string());
const { data } = fc.letrec<{ value: unknown; data: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, fc.array(scalars, { maxLength: 3 }), tie("data")),
  data: fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

/** RFC 6902 in the few words that the kept patches need; a `test` that fails throws. */
function applied(before: JsonObject, operations: readonly PatchOperation[]): unknown {
  const root: JsonObject = { root: structuredClone(before) };
  for (const operation of operations) {
    const steps = ["root", ...operation.path.split("/").slice(1)].map((step) =>
      step.replaceAll("~1", "/").replaceAll("~0", "~"),
    );
    const last = steps.pop() ?? "";
    let parent = root;
    for (const step of steps) parent = parent[step] as JsonObject;
    const isThere = Object.hasOwn(parent, last);
    if (operation.op === "add") parent[last] = operation.value;
    else if (!isThere) throw new Error(`nothing at ${operation.path}`);
    else if (operation.op === "remove") delete parent[last];
    else if (operation.op === "replace") parent[last] = operation.value;
    else expect(parent[last]).toEqual(operation.value);
  }
  return root["root"];
}

describe("the changes in a history", () => {
  test("lead from one version to the next, and back", () => {
    fc.assert(
      fc.property(data, data, (before, after) => {
        const changes = difference(before, after);
        expect(applied(before, changes)).toEqual(after);
        expect(reverted(after, changes)).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  test("of a deletion restore the whole data", () => {
    fc.assert(
      fc.property(data, (before) => {
        expect(reverted(undefined, removal(before))).toEqual(before);
      }),
    );
  });

  test("do not touch unchanged members or their arguments", () => {
    const after = { kept: { x: 1 }, changed: { y: 2 } };
    const changes = difference({ kept: { x: 1 }, changed: { y: 1 }, gone: null }, after);
    expect(changes).toEqual([
      { op: "test", path: "/changed/y", value: 1 },
      { op: "replace", path: "/changed/y", value: 2 },
      { op: "test", path: "/gone", value: null },
      { op: "remove", path: "/gone" },
    ]);
    expect(reverted(after, changes)).toEqual({ kept: { x: 1 }, changed: { y: 1 }, gone: null });
    expect(after).toEqual({ kept: { x: 1 }, changed: { y: 2 } });
  });
});
