import { describe, expect, test } from "vitest";
import { catalogError } from "#contract/errors.ts";
import type { Membership } from "#contract/access/identity.ts";
import { createdWorkspace } from "#commands/kit/workspaces/create-child.ts";

const parentId = "01900000-0000-7000-8000-00000000000a";
const other = "01900000-0000-7000-8000-00000000000b";

function listed(id: string, slug: string, parent?: string | null): Membership {
  return { id, slug, ...(parent === undefined ? {} : { parentId: parent }) } as Membership;
}

describe("the ID of a new workspace that its response does not name", () => {
  test.each<[string, string, Membership[], { before?: Membership[]; parentId?: string }]>([
    ["is that of the new child of this slug", "n", [listed("n", "yard", parentId)], { parentId }],
    ["is found where the list names no parent", "n", [listed("n", "yard")], { parentId }],
    ["is not that of another parent's child", "", [listed("n", "yard", other)], { parentId }],
    ["is not that of another slug", "", [listed("n", "pier", parentId)], { parentId }],
    [
      "is not that of a child that was there before",
      "",
      [listed("n", "yard", parentId)],
      { parentId, before: [listed("n", "yard", parentId)] },
    ],
    ["is not guessed among several", "", [listed("n", "yard"), listed("m", "yard")], { parentId }],
    ["is that of the root of this slug", "n", [listed("n", "yard", null)], {}],
    ["is not that of a child, for a root", "", [listed("n", "yard", other)], {}],
  ])("%s", async (_name, id, list, creation) => {
    const created = { id: "", slug: "yard" };
    const read = () => Promise.resolve(list);
    expect(await createdWorkspace(created, read, { slug: "yard", ...creation })).toEqual({
      id,
      slug: "yard",
    });
  });

  test("is taken from the response, without a request", async () => {
    const created = { id: other, slug: "yard" };
    const read = () => Promise.reject(new Error("the list was read"));
    expect(await createdWorkspace(created, read, { slug: "yard" })).toBe(created);
  });

  test("stays unknown, and the creation reported, where the list is refused", async () => {
    const refused = () => Promise.reject(catalogError("E204", {}));
    const created = { id: "", slug: "yard" };
    expect(await createdWorkspace(created, refused, { slug: "yard" })).toBe(created);
  });
});
