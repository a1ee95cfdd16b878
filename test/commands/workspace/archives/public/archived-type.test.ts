import { expect, test } from "vitest";
import { archivableType } from "#commands/workspace/archives/public/archived-type.ts";

const type = (own: object) => archivableType({ id: "1", slug: "street-tree", ...own } as never);

test("a type keeps what our definitions have, and names what they lack", () => {
  const properties = {
    species: { type: "string", required: true, label: "Species" },
    shape: { type: "hologram" },
    "no name": { type: "string" },
  };
  const made = type({
    name: "street tree",
    properties,
    color: "green",
    tenant_id: "x",
    version: 3,
    actions: [{ name: "not a name!" }],
  });
  expect(made?.name).toBe("StreetTree");
  expect(made?.definition).toMatchObject({
    properties: { species: { type: "string", required: true } },
  });
  expect(made?.definition).not.toHaveProperty("color");
  expect(made?.leftOut.map(({ part }) => part).toSorted()).toEqual([
    "street-tree.no name",
    "street-tree.not a name!",
    "street-tree.shape",
  ]);
});

test("a type whose slug ours cannot have is none", () => {
  expect(type({ name: "Tree", slug: "Street Tree!", properties: {} })).toBeUndefined();
});
