import { describe, expect, test } from "vitest";
import type { ObjectType } from "#client/index.ts";
import {
  importData,
  importFaults,
  importFields,
  importOptions,
  importSettings,
} from "#ui/records/import/import-fields.ts";

const columns = [
  { name: "Ref. No", property: "refNo" },
  { name: "Fee", property: "fee" },
  { name: "Remarks", property: null },
];
const type: ObjectType = {
  id: "01900000-0000-7000-8000-000000000001",
  name: "Form",
  version: 1,
  status: "published",
  slug: "form",
  properties: { refNo: { type: "string", unique: true }, fee: { type: "number" } },
  linkTypes: [{ name: "officer", targetObjectType: "person", cardinality: "one" }],
};

describe("the import form", () => {
  test("has a field for each column, the key and the forms of values", () => {
    const fields = importFields(columns, type);
    expect(fields.map(({ label }) => label)).toEqual([
      "Ref. No",
      "Fee",
      "Remarks",
      "(key)",
      "(dates)",
      "(numbers)",
    ]);
    expect(fields[2]?.choices.map(({ text }) => text)).toEqual(["refNo", "fee", "officer"]);
    expect(fields[3]?.choices.map(({ text }) => text)).toEqual(["refNo"]);
  });

  test("begins with the properties of the columns' names", () => {
    const data = importData(columns);
    expect(importSettings(columns, data)).toEqual({
      columns: { "Ref. No": "refNo", Fee: "fee", Remarks: null },
    });
    expect(importFaults(columns, data)).toEqual([]);
  });

  test.each([
    [
      { "column 1": "fee", "column 2": "fee" },
      "#/column 2",
      'is also the property of the column "Ref. No"',
    ],
    [{}, "#/column 1", "needs a property"],
    [{ "column 2": "fee", key: "refNo" }, "#/key", "is the property of no column"],
  ])("refuses %j", (data, pointer, detail) => {
    expect(importFaults(columns, data)).toEqual([{ pointer, detail }]);
  });

  test("writes the command with what differs from the names", () => {
    const data = {
      ...importData(columns),
      "column 2": undefined,
      key: "refNo",
      number: "1.234,56",
    };
    expect(importOptions(columns, data)).toEqual({
      key: "refNo",
      map: ["Fee=", "Remarks="],
      dates: undefined,
      numbers: "1.234,56",
    });
  });
});
