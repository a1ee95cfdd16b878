import { expect, test } from "vitest";
import { Totals } from "#server/domains/geo/reports/totals.ts";

test("totals leave out missing values and texts, and read dotted paths", () => {
  const totals = new Totals({
    all: { op: "count" },
    known: { op: "count", field: "size" },
    sum: { op: "sum", field: "size" },
    mean: { op: "avg", field: "size.height" },
    none: { op: "avg", field: "other" },
  });
  for (const size of [1, 2.5, null, "3", { height: 4 }, { height: 6 }]) totals.add({ size });
  totals.add({});
  expect(totals.values()).toEqual({ all: 7, known: 5, sum: 3.5, mean: 5, none: null });
});
