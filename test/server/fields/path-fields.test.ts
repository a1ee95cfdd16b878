import { expect, test } from "vitest";
import {
  branchesOf,
  containersOf,
  fieldAt,
  holdsGeometries,
  holdsTimes,
  isDeclared,
  isProperty,
} from "#server/fields/path-fields.ts";

const source = {
  properties: {
    code: { type: "string" },
    size: { type: "number" },
    on: { type: "boolean" },
    at: { type: "datetime" },
    area: { type: "geometry" },
    old: { type: "string" },
    mixed: { type: "enum", enum: [1, "a"] },
    place: { type: "object", properties: { street: { type: "string" } } },
    list: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    open: { type: "object" },
  },
  linkTypes: [{ name: "owner" }],
  slots: [
    { property: "code", kind: "text", number: 1, state: "ready" },
    { property: "size", kind: "number", number: 1, state: "building" },
  ],
  mayHoldLists: new Set(["old"]),
} as never;
const path = (text: string): string[] => text.split(".");

test.each([
  ["id", { kind: "column", column: "id", valueKind: "text" }],
  ["version", { kind: "column", valueKind: "number" }],
  ["code", { kind: "scalar", valueKind: "text", isRead: true, slots: [{ number: 1 }] }],
  ["data.code", { kind: "scalar", path: ["code"] }],
  ["size", { kind: "scalar", valueKind: "number", isRead: false, slots: [] }],
  ["on", { kind: "scalar", valueKind: "flag" }],
  ["place.street", { kind: "scalar", slots: [] }],
  ["old", { kind: "open" }],
  ["mixed", { kind: "open" }],
  ["list.name", { kind: "open" }],
  ["none", { kind: "open", path: ["none"] }],
])("the field of %s", (name, field) => {
  expect(fieldAt(source, path(name))).toMatchObject(field);
});

test("an undeclared name does not exist where only a part is known", () => {
  const partial = { ...(source as object), isPartial: true } as never;
  expect(fieldAt(partial, ["none"])).toEqual({ kind: "open", path: ["-"] });
  expect(fieldAt(partial, ["owner"])).toMatchObject({ path: ["owner"] });
});

test.each([
  ["id", true],
  ["code", true],
  ["code.x", false],
  ["place.street", true],
  ["place.none", false],
  ["list.0.name", true],
  ["list.name", true],
  ["list.none", false],
  ["open.any", true],
  ["owner", true],
  ["old.any", true],
  ["none", false],
  ["constructor", false],
])("%s can lead to a value: %s", (name, holds) => {
  expect(isProperty(source, path(name))).toBe(holds);
});

test("containers decide the number of alternatives", () => {
  expect(containersOf(source, path("place.street"))).toEqual(["object"]);
  expect(containersOf(source, path("list.0.name"))).toEqual(["list", "open"]);
  const branches = ["code", "place.none", "list.name", "list.0.name", "open.a.b", "none.0"];
  expect(branches.map((name) => branchesOf(source, path(name)))).toEqual([1, 1, 1, 4, 2, 3]);
  expect(branchesOf(undefined, path("a.b.0"))).toBe(6);
});

test("times and geometries are known at any depth", () => {
  expect([holdsTimes(source, ["created_at"]), holdsTimes(source, ["at"])]).toEqual([true, true]);
  expect([holdsTimes(source, ["code"]), holdsGeometries(source, ["area"])]).toEqual([false, true]);
  expect([isDeclared(source, path("list.name")), isDeclared(source, ["none"])]).toEqual([
    true,
    false,
  ]);
});
