import { expect, test } from "vitest";
import { mappedByFlags, Mapping, mappingFile } from "#commands/resources/imports/mapping.ts";

const type = {
  slug: "site",
  properties: {
    refNo: { type: "string" },
    size: { type: "number" },
    due: { type: "date" },
  },
  linkTypes: [{ name: "owner", cardinality: "one" }],
} as never;

test("columns find their properties by letters and digits", () => {
  const mapping = new Mapping(type, {});
  const found = ["Ref. No", "SIZE", "data.due", "owner", "id", "#reason", "other"].map((name) => {
    const column = mapping.column(name);
    return column === null ? null : column?.property;
  });
  expect(found).toEqual(["refNo", "size", "due", "owner", null, null, undefined]);
});

test("a property of a system field's name has its column, unless an export named both", () => {
  const typed = { slug: "site", properties: { type: { type: "string" }, refNo: {} } } as never;
  const mapping = new Mapping(typed, {});
  expect(["type", "version"].map((name) => mapping.column(name)?.property)).toEqual([
    "type",
    undefined,
  ]);
  mapping.check(["type", "refNo"], false);
  expect(mapping.column("type")).toMatchObject({ property: "type" });
  mapping.check(["id", "type", "data.type"], false);
  expect(mapping.column("type")).toBe(null);
  expect(mapping.column("data.type")).toMatchObject({ property: "type" });
});

test("a mapping names properties and forms, and is checked", () => {
  const mapping = new Mapping(type, {
    columns: { A: { property: "due", date: "DD.MM.YYYY", empty: "null" }, B: null },
  });
  expect(mapping.column("A")).toMatchObject({ property: "due", clears: true, hasForms: true });
  expect(mapping.column("A")?.read("14.03.2026")).toBe("2026-03-14");
  expect(mapping.column("B")).toBe(null);
  expect(() => new Mapping(type, { columns: { A: "none" } })).toThrow('site has no "none"');
});

test.each<[readonly string[], object, string]>([
  [["refNo", "Ref No"], {}, 'the columns "refNo" and "Ref No" are both for refNo'],
  [["other"], {}, "no column is a property of site"],
  [["refNo", "other"], {}, 'site has no property for "other"'],
  [["refNo"], { columns: { X: "size" } }, 'the file has no column "X"'],
])("the columns %j are refused", (names, file, message) => {
  expect(() => new Mapping(type, file).check(names, false)).toThrow(message);
});

test("flags map columns, and other members of a file are refused", () => {
  expect(mappedByFlags(["A=refNo", "B=", "C=D=size"])).toEqual({
    A: "refNo",
    B: null,
    "C=D": "size",
  });
  expect(() => mappedByFlags(["A"])).toThrow('--map A has no "="');
  expect(mappingFile.safeParse({ colums: {} }).success).toBe(false);
  new Mapping(type, {}).check(["refNo", "other"], true);
});
