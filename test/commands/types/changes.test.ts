import { expect, test } from "vitest";
import { changesOf } from "#commands/types/changes.ts";

const before = {
  name: "Site",
  slug: "site",
  properties: {
    code: { type: "string", required: true },
    old: { type: "string" },
    place: { type: "object", properties: { street: { type: "string" } } },
  },
  linkTypes: [],
  actions: [],
};
const differences = (after: object) => changesOf(before as never, { ...before, ...after } as never);

test("the same definition has no changes", () => {
  expect(differences({})).toEqual([]);
});

test("properties are added and dropped, also nested ones", () => {
  const { old: _old, ...properties } = before.properties;
  const place = { type: "object", properties: { town: { type: "string", required: true } } };
  expect(differences({ properties: { ...properties, place, size: { type: "number" } } })).toEqual([
    expect.objectContaining({ action: "add", name: "place.town", demands: "place.town" }),
    expect.objectContaining({ action: "drop", name: "place.street", abandons: "place.street" }),
    { action: "add", part: "property", name: "size" },
    { action: "drop", part: "property", name: "old", abandons: "old" },
  ]);
});

test("the words of a type and its name change", () => {
  expect(differences({ name: "Place", description: "x", readRoles: ["tenant-admin"] })).toEqual([
    { action: "rename", part: "type", name: "Site", to: "Place" },
    { action: "change", part: "type", name: "site", keywords: ["description", "readRoles"] },
  ]);
});
