import { expect, test } from "vitest";
import { blockFile, blockFileSchema, strictBlockFile } from "#commands/kit/blocks/block.ts";

const own = { id: "tree-register", name: "Trees", summary: "A register" };

test("a block of a project has what can be derived", () => {
  expect(blockFile.parse([own])).toEqual([
    expect.objectContaining({ kind: "custom", lane: "addon", package: "project", routes: [] }),
  ]);
  expect(blockFile.parse({ blocks: [{ ...own, note: "x" }] })).toMatchObject({
    blocks: [{ note: "x" }],
  });
});

test.each([{ ...own, id: "Tree" }, { ...own, name: "" }, { ...own, lane: "odd" }, { id: "x" }])(
  "%j is refused",
  (block) => {
    expect(blockFile.safeParse([block]).success).toBe(false);
  },
);

test("a strict file has no other members", () => {
  expect(strictBlockFile.safeParse([{ ...own, note: "x" }]).success).toBe(false);
  expect(blockFileSchema()).toMatchObject({ title: "Building blocks of a project" });
});
