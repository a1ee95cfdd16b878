import { describe, expect, test } from "vitest";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import {
  placedProperties,
  propertyAt,
  valueProperty,
  walkProperties,
} from "#contract/object-types/walk.ts";

const properties: Record<string, PropertyDefinition> = {
  title: { type: "string" },
  address: {
    type: "object",
    properties: { street: { type: "string" }, place: { type: "geopoint" } },
  },
  rooms: {
    type: "array",
    items: { type: "object", properties: { area: { type: "number" } } },
  },
  grid: { type: "array", items: { type: "array", items: { type: "integer" } } },
  items: { type: "boolean" },
};

test("every property is placed, in the definition's order", () => {
  const placed = placedProperties(properties);
  expect(
    placed.map(({ names, path, level, isItem }) => [
      names.join("."),
      path.join("/"),
      level,
      isItem,
    ]),
  ).toEqual([
    ["title", "properties/title", 1, false],
    ["address", "properties/address", 1, false],
    ["address.street", "properties/address/properties/street", 2, false],
    ["address.place", "properties/address/properties/place", 2, false],
    ["rooms", "properties/rooms", 1, false],
    ["rooms", "properties/rooms/items", 2, true],
    ["rooms.area", "properties/rooms/items/properties/area", 3, false],
    ["grid", "properties/grid", 1, false],
    ["grid", "properties/grid/items", 2, true],
    ["grid", "properties/grid/items/items", 3, true],
    ["items", "properties/items", 1, false],
  ]);
});

test("a visitor skips nested properties, and is called after those it does not skip", () => {
  const calls: string[] = [];
  walkProperties(
    properties,
    {
      enter: ({ path, property }) => {
        calls.push(`enter ${path.join("/")}`);
        return property.type !== "array";
      },
      leave: ({ path }) => calls.push(`leave ${path.join("/")}`),
    },
    ["parameters"],
  );
  expect(calls.slice(2, 10)).toEqual([
    "enter parameters/address",
    "enter parameters/address/properties/street",
    "leave parameters/address/properties/street",
    "enter parameters/address/properties/place",
    "leave parameters/address/properties/place",
    "leave parameters/address",
    "enter parameters/rooms",
    "enter parameters/grid",
  ]);
});

describe("the property at a path", () => {
  test.each([
    ["title", "string"],
    ["address", "object"],
    ["address.street", "string"],
    ["rooms", "array"],
    ["rooms.area", "number"],
    ["rooms.0", "object"],
    ["rooms.12.area", "number"],
    ["grid.0.1", "integer"],
    ["items", "boolean"],
    ["address.0", undefined],
    ["address.town", undefined],
    ["title.length", undefined],
    ["rooms.area.unit", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("%s is %s", (path, type) => {
    expect(propertyAt(properties, path.split("."))?.type).toBe(type);
  });

  test("is none for no names", () => {
    expect(propertyAt(properties, [])).toBeUndefined();
  });
});

test.each([
  ["title", "string"],
  ["rooms", "object"],
  ["grid", "integer"],
])("values in %s are of the type %s", (name, type) => {
  expect(valueProperty(properties[name] ?? { type: "file" })?.type).toBe(type);
});
