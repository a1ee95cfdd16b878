import { expect, test } from "vitest";
import { everyWorkspace, joinedScope, shareOf } from "#server/kit/scope.ts";

const scopeOf = (...workspaces: string[]) => ({ workspaces, caller: "u" });

test("the share is the only workspace", () => {
  expect(
    [scopeOf("a"), scopeOf("", "a"), scopeOf("a", "b"), scopeOf(), everyWorkspace].map(shareOf),
  ).toEqual(["a", "a", "", "", ""]);
});

test("a joined scope has all workspaces once, and one of every workspace makes it that", () => {
  expect(joinedScope([scopeOf("a", "b"), scopeOf("b")])).toEqual({
    workspaces: ["a", "b"],
    caller: "",
  });
  expect(joinedScope([scopeOf("a"), everyWorkspace])).toBe(everyWorkspace);
  expect(joinedScope([]).workspaces).toEqual([]);
});
