import { describe, expect, it } from "vitest";
import type { ObjectType } from "#client/index.ts";
import { groupableFields, metricWords, possibleMetrics } from "#ui/records/bars/bars.ts";
import { dataFields } from "#ui/kit/data-fields/data-fields.ts";
import { completeFilter } from "#ui/kit/filter/filter-completion.ts";
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
    // The same object at each frame, so that what was worked out from it holds.
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
    expect(groupableFields(type)).toEqual(["name", "home", "pets"]);
    expect(possibleMetrics(type).map(metricWords)).toContain("different values of home");
  });
});
