import { expect, it } from "vitest";
import type { Membership } from "#client/index.ts";
import { workspacesWith } from "#ui/workspaces/use-workspace-tree.ts";

const workspace = (id: string, parentId?: string, displayName?: string): Membership => ({
  id,
  slug: id,
  parentId,
  displayName,
});

const all = [
  workspace("council", undefined, "Northwind Council"),
  workspace("planning", "council", "Planning"),
  workspace("appeals", "planning"),
  workspace("licensing", "council"),
  workspace("lost", "unknown"),
];

it.each([
  ["", ["council", "planning", "appeals", "licensing", "lost"]],
  ["APPEAL", ["council", "planning", "appeals"]],
  ["wind", ["council"]],
  ["l", ["council", "planning", "appeals", "licensing", "lost"]],
  ["lost", ["lost"]],
  ["zoning", []],
])("the workspaces with “%s” have those above them", (text, ids) => {
  expect(workspacesWith(all, text).map(({ id }) => id)).toEqual(ids);
});

it("ends where two workspaces are above each other", () => {
  const round = [workspace("a", "b"), workspace("b", "a")];
  expect(workspacesWith(round, "a").map(({ id }) => id)).toEqual(["a", "b"]);
});
