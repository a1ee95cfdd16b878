import { expect, it } from "vitest";
import { figuresOf, rowColumns, rowLines, rowName, rowsWith } from "#ui/geo/reports/result-rows.ts";

const areas = [
  { key: "w-1", name: "Docklands", metrics: { sum: 1_204.555, count: 30 } },
  { key: "w-2", name: null, metrics: { count: 10, sum: null } },
];
const items = [{ key: "t-1", name: "Oak", distance: 120.4, properties: { height: 9 } }];

it("has a column for each figure, the count first, and a bar of it", () => {
  expect(figuresOf(areas)).toEqual(["count", "sum"]);
  const columns = rowColumns({ rows: areas });
  const cells = (index: number) => columns.map(({ value }) => value(areas[index] ?? { key: "" }));
  expect(columns.map(({ title }) => title)).toEqual(["name", "count", "sum", "", "key"]);
  expect(cells(0)).toEqual(["Docklands", "30", "1,204.56", "▇".repeat(12), "w-1"]);
  expect(cells(1)).toEqual(["w-2", "10", "", "▇▇▇▇", "w-2"]);
});

it("has distances and properties of items in place of figures", () => {
  const columns = rowColumns({ rows: items });
  expect(columns.map(({ title }) => title)).toEqual(["name", "away", "properties", "key"]);
  const text = rowLines(items[0] ?? { key: "" }, { width: 40 });
  expect(text.flat().map((span) => span.text.trim())).toContain("120 m");
});

it("finds rows by a part of their names or keys", () => {
  expect(rowsWith(areas, " DOCK ").map(rowName)).toEqual(["Docklands"]);
  expect(rowsWith(areas, "w-").length).toBe(2);
  expect(rowName({ key: "-2.980507231,53.396631996" })).toBe("53.3966 N, 2.9805 W");
});
