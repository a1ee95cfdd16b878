import { describe, expect, test } from "vitest";
import { parseFilter } from "#server/database/where/parse-filter.ts";
import type { WhereField, WhereRules } from "#server/database/where/filter-rules.ts";

const fields: Readonly<Record<string, WhereField>> = {
  name: { path: ["name"], kind: "text", isNullable: true, branches: 1 },
  role: { path: ["role"], kind: "text", branches: 1 },
  size: { path: ["size"], kind: "number", branches: 1 },
};

function rules(changed: Partial<WhereRules>): WhereRules {
  return {
    operators: ["$eq", "$ne", "$in", "$gt", "$not", "$contains"],
    groups: ["$and", "$or", "$nor"],
    limits: { depth: 8, listItems: 3, faults: 5 },
    field: (name) => fields[name] ?? "is not a field",
    ...changed,
  };
}

describe("a filter of plain fields", () => {
  test.each<[name: string, where: unknown, pointers: string[]]>([
    ["an unknown field", { owner: "x" }, ["#/owner"]],
    ["a number for a text", { name: 1 }, ["#/name"]],
    ["a fraction", { size: { $gt: 1.5 } }, ["#/size/$gt"]],
    ["null for a field that always has a value", { role: null }, ["#/role"]],
    ["null in a comparison", { name: { $gt: null } }, ["#/name/$gt"]],
    ["a text operator on a number", { size: { $contains: "1" } }, ["#/size/$contains"]],
    ["a known operator that the list lacks", { name: { $size: 1 } }, ["#/name/$size"]],
    ["an object without operators", { name: {} }, ["#/name"]],
    [
      "each wrong item of a list",
      { name: { $in: [1, null, 2] } },
      ["#/name/$in/0", "#/name/$in/2"],
    ],
    ["a list of too many values", { name: { $in: ["a", "b", "c", "d"] } }, ["#/name/$in"]],
  ])("refuses %s", (_name, where, pointers) => {
    const parsed = parseFilter(where, [], rules({}));
    expect(parsed.faults?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test.each<[name: string, limits: Partial<WhereRules["limits"]>, where: unknown, at: string]>([
    ["an empty list", { fewestItems: 1 }, { role: { $in: [] } }, "#/role/$in"],
    ["two operators", { operatorsPerField: 1 }, { role: { $eq: "a", $ne: "b" } }, "#/role"],
    ["filters that nest", { filterDepth: 2 }, { $or: [{ $or: [{}] }] }, "#/$or/0/$or/0"],
    ["many filters", { filters: 2 }, { $or: [{}, {}] }, "#/$or/1"],
    ["many fields", { fields: 1 }, { name: "a", role: "b" }, "#/role"],
  ])("refuses %s by the limits of the list", (_name, limits, where, at) => {
    const limited = rules({ limits: { depth: 8, listItems: 3, faults: 5, ...limits } });
    const parsed = parseFilter(where, [], limited);
    expect(parsed.faults?.map(({ pointer }) => pointer)).toEqual([at]);
  });

  test("takes null for a missing value, and every name for a field without groups", () => {
    const parsed = parseFilter({ name: null }, [], rules({}));
    const test = { kind: "equal", value: null };
    expect(parsed).toEqual({ condition: { kind: "field", path: ["name"], test } });
    const grouped = parseFilter({ $or: [] }, [], rules({ groups: [] }));
    expect(grouped.faults).toEqual([{ pointer: "#/$or", detail: "is not a field" }]);
  });
});
