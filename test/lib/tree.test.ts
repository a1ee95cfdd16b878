import { describe, expect, it } from "vitest";
import { treeRows } from "#lib/tree.ts";

describe("treeRows", () => {
  interface Item {
    id: string;
    parent: string | null;
  }
  const rows = (items: Item[], folded: string[] = []) =>
    treeRows(items, {
      idOf: (item) => item.id,
      parentOf: (item) => item.parent,
      folded: new Set(folded),
    }).map((row) => `${"  ".repeat(row.depth)}${row.item.id} ${row.fold}`);

  it("shows children below their parent, and hides folded ones", () => {
    const items = [
      { id: "child", parent: "root" },
      { id: "root", parent: null },
      { id: "grandchild", parent: "child" },
    ];
    expect(rows(items)).toEqual(["root open", "  child open", "    grandchild leaf"]);
    expect(rows(items, ["child"])).toEqual(["root open", "  child closed"]);
  });

  it("shows an item whose parent is unknown, and each member of a ring once", () => {
    expect(rows([{ id: "a", parent: "gone" }])).toEqual(["a leaf"]);
    expect(
      rows([
        { id: "a", parent: "b" },
        { id: "b", parent: "a" },
      ]),
    ).toEqual(["a leaf", "b leaf"]);
  });
});
