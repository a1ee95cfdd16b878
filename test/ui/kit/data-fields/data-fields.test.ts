import { describe, expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import { metricWords, possibleMetrics } from "#ui/records/bars/bars.ts";
import { groupingId, groupingsOf } from "#ui/records/bars/grouping.ts";
import { dataFields, typeOfRecords } from "#ui/kit/data-fields/data-fields.ts";
import { completeFilter } from "#ui/kit/filter/use-filter.ts";
import { parseFilter } from "#ui/kit/filter/filter-language.ts";
import {
  possibleColumns,
  recordColumns,
  standardColumns,
} from "#ui/kit/data-fields/record-columns.ts";

const type: ObjectType = {
  id: "1",
  name: "Person",
  slug: "person",
  properties: { name: { type: "string" } },
  linkTypes: [
    { name: "home", displayName: "Lives in", targetObjectType: "house", cardinality: "one" },
    { name: "pets", targetObjectType: "animal", cardinality: "many" },
  ],
};

describe("links of an Object Type", () => {
  it("are fields of its records, in addition to the properties", () => {
    expect(dataFields(type)).toEqual({
      name: { type: "string" },
      home: { type: "reference", targetObjectType: "house", displayName: "Lives in" },
      pets: { type: "array", items: { type: "reference", targetObjectType: "animal" } },
    });
    // Each frame gets one object, so that what was computed from it stays.
    expect(dataFields(type)).toBe(dataFields(type));
  });

  it("are columns only if they are chosen", () => {
    expect(standardColumns(type)).toEqual(["name", "updated_at"]);
    expect(possibleColumns(type).slice(0, 3)).toEqual([
      { id: "name", title: "name" },
      { id: "home", title: "Lives in" },
      { id: "pets", title: "pets" },
    ]);
    const [home] = recordColumns(type, 0, ["home"]);
    expect(home?.value({ id: "1", version: 1, data: { home: "h-1" } })).toBe("h-1");
  });

  it("can be filtered by, counted and put in groups", () => {
    expect(completeFilter("ho", dataFields(type))?.choices).toEqual(["home"]);
    expect(parseFilter("home=h-1", dataFields(type))).toEqual({ where: { home: "h-1" } });
    expect(groupingsOf(type).map(groupingId)).toEqual(["name", "home", "pets"]);
    expect(possibleMetrics(type).map(metricWords)).toContain("different values of home");
  });
});

describe("an Object Type without properties", () => {
  const bare: ObjectType = {
    id: "2",
    name: "Tree",
    slug: "tree",
    properties: {},
    linkTypes: [{ name: "permits", targetObjectType: "permit" }],
  };
  const recordOf = (data: Resource["data"]): Resource => ({ id: "1", version: 1, data });

  it("has those that the data of its records shows", () => {
    const records = [
      recordOf({ height: 3, species: "elm", felled: false, note: null, permits: ["7"] }),
      recordOf({ planted: "2026-05-01", seen: "2026-05-01T09:00:00Z", parts: [1], place: {} }),
      recordOf({ height: "tall", note: "old" }),
    ];
    const shown = typeOfRecords(bare, records);
    expect(shown.properties).toEqual({
      height: { type: "string" },
      species: { type: "string" },
      felled: { type: "boolean" },
      planted: { type: "date" },
      seen: { type: "datetime" },
      parts: { type: "array" },
      place: { type: "object" },
      note: { type: "string" },
    });
    expect(recordColumns(shown, 0).map(({ id }) => id)).toEqual([
      "height",
      "species",
      "felled",
      "planted",
      "seen",
      "note",
      "updated_at",
    ]);
  });

  it("stays as it is without data, and so does a type with properties", () => {
    expect(typeOfRecords(bare, [recordOf({})])).toBe(bare);
    expect(typeOfRecords(type, [recordOf({ other: 1 })])).toBe(type);
  });
});
