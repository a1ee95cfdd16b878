import { expect, it, test } from "vitest";
import { featureFilter, featureQuery, queryOptions } from "#ui/geo/features/feature-query.ts";

test.each([
  ["144,-38,146,-37", { bbox: [144, -38, 146, -37] }],
  ["144.96,-37.81,500", { near: { position: [144.96, -37.81], metres: 500 } }],
  ['{"kind":"park"}', { where: { kind: "park" } }],
  ["height>3", { where: { height: { $gt: 3 } } }],
  ["height:3..9", { where: { height: { $gte: 3, $lte: 9 } } }],
  ['code="3000"', { where: { code: "3000" } }],
  ["mill", { where: { $or: [{ label: { $regex: "mill", $options: "i" } }] } }],
  ["", {}],
])("the filter %s asks for %o", (text, query) => {
  expect(featureQuery(text, ["label"])).toEqual(query);
});

it("refuses other numbers of coordinates", () => {
  const { problemOf } = featureFilter({ id: "parks", title: "Parks", names: [] });
  expect(problemOf?.("1,2,3,4,5")).toBe("needs west,south,east,north or longitude,latitude,metres");
  expect(problemOf?.("kind:park")).toBe(undefined);
});

it("gives the options of the command", () => {
  expect(queryOptions("1,2,30", [])).toEqual({ near: "1,2,30" });
  expect(queryOptions("1,2,3,4", [])).toEqual({ bbox: "1,2,3,4" });
  expect(queryOptions("height:3", [])).toEqual({ where: '{"height":3}' });
});
