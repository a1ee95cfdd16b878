import { expect, test } from "vitest";
import {
  collided,
  placed,
  taken,
  versionConflict,
} from "#server/domains/object-types/check-definition.ts";

test("faults have their place in a batch", () => {
  const fault = { pointer: "#/properties/a", detail: "x" };
  expect(placed(fault, ["items", 2])).toEqual({ pointer: "#/items/2/properties/a", detail: "x" });
  expect(placed(fault, []).pointer).toBe("#/properties/a");
});

test("conflicts name what is in the way", () => {
  expect(taken("slug", "site", [], " by x").options.errors).toEqual([
    { pointer: "#/slug", detail: '"site" is already used in this workspace by x' },
  ]);
  expect(versionConflict(3, []).options).toMatchObject({ members: { currentVersion: 3 } });
  expect(versionConflict(3, [1]).options.errors?.[0]?.pointer).toBe("#/1/version");
  const collisions = [{ value: "a", count: 2, ids: ["1", "2"] }] as never;
  expect(collided("code", collisions, []).options.errors).toEqual([
    {
      pointer: "#/properties/code/unique",
      detail: 'is not possible: 2 records have "a" (1, 2)',
    },
  ]);
});
