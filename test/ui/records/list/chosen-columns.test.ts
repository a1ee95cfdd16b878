import { describe, expect, it } from "vitest";
import { readChosenColumns, withColumns } from "#ui/records/list/chosen-columns.ts";

describe("columns in a profile", () => {
  it.each([
    ["nothing", undefined, {}],
    ["a text", "columns", {}],
    ["a list", [["a"]], {}],
    ["lists of names", { "w t": ["status", "id"] }, { "w t": ["status", "id"] }],
    ["no list", { "w t": "status", "w u": null }, {}],
    [
      "names that are none",
      { "w t": ["status", 1, null, "\u001b[2J", "__proto__ x", "", "status"] },
      { "w t": ["status"] },
    ],
    ["only names that are none", { "w t": ["\u001b]0;x\u0007"] }, {}],
  ])("reads %s harmlessly", (_what, value, columns) => {
    expect(Object.fromEntries(readChosenColumns(value))).toEqual(columns);
  });

  it("limits the number of tables and names", () => {
    const names = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`w t${index}`, names]),
    );
    const columns = readChosenColumns(many);
    expect(columns.size).toBe(200);
    expect(columns.get("w t499")).toHaveLength(100);
  });

  it("changes one table and drops the oldest", () => {
    const many = new Map(
      Array.from({ length: 200 }, (_, index) => [`w t${index}`, ["a"]] as const),
    );
    const columns = withColumns(many, "w new", ["b"]);
    expect(columns.size).toBe(200);
    expect(columns.get("w new")).toEqual(["b"]);
    expect(columns.has("w t0")).toBe(false);
    expect(withColumns(columns, "w new", undefined).has("w new")).toBe(false);
  });
});
