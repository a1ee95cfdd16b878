import { describe, expect, it } from "vitest";
import type { ObjectType } from "#client/index.ts";
import {
  barColumns,
  barsOf,
  countOfRecords,
  filterOfBar,
  legendOf,
  metricFor,
  metricsBody,
  metricWords,
  possibleMetrics,
  splittingFields,
  stackText,
} from "#ui/records/bars/bars.ts";
import { groupingId, groupingsOf } from "#ui/records/bars/grouping.ts";
import { fitColumns, WidestValues } from "#ui/kit/table/columns.ts";
import { parseFilter } from "#ui/kit/filter/filter-language.ts";

const type: ObjectType = {
  id: "1",
  name: "Licence",
  slug: "licence",
  properties: {
    notes: { type: "text" },
    holder: { type: "string" },
    fee: { type: "number" },
    status: { type: "enum", enum: ["open", "closed"] },
    urgent: { type: "boolean" },
    granted: { type: "date" },
    plan: { type: "file" },
  },
};

const byStatus = { field: "status" };

function answer(values: readonly (readonly [group: unknown, value: unknown])[], truncated = false) {
  return {
    rows: values.map(([status, value]) => ({ group: { status }, metrics: { value } })),
    truncated,
  };
}

describe("records in groups", () => {
  it("offers fields for groups and figures", () => {
    expect(groupingsOf(type).map(groupingId)).toEqual([
      "status",
      "urgent",
      "granted by month",
      "granted by week",
      "granted by year",
      "granted",
      "holder",
      "fee by range",
      "fee",
    ]);
    expect(possibleMetrics(type).map(metricWords)).toEqual([
      "records",
      "records with notes",
      "different values of holder",
      "records with holder",
      "sum of fee",
      "average of fee",
      "smallest fee",
      "largest fee",
      "different values of status",
      "records with status",
      "different values of urgent",
      "records with urgent",
      "smallest granted",
      "largest granted",
      "records with plan",
    ]);
    expect(metricsBody({ op: "sum", field: "fee" })).toEqual({
      value: { op: "sum", field: "fee" },
    });
  });

  it("are in the order of their figures, with their shares", () => {
    const { bars } = barsOf(
      answer([
        [null, 1],
        ["open", 6],
        ["closed", 3],
      ]),
      byStatus,
      countOfRecords,
    );
    expect(
      bars.map(({ words, valueWords, length, share }) => [words, valueWords, length, share]),
    ).toEqual([
      ["open", "6", 1, 0.6],
      ["closed", "3", 0.5, 0.3],
      ["(none)", "1", 1 / 6, 0.1],
    ]);
  });

  it.each([
    ["an empty text", "", '""'],
    ["a blank", " ", '" "'],
    ["an empty list", [], "[]"],
    ["a list of one empty text", [""], '[""]'],
    ["a list", ["a", "b"], "a, b"],
  ])("names the group of %s", (_what, group, words) => {
    const [bar] = barsOf(answer([[group, 1]]), byStatus, countOfRecords).bars;
    expect(bar?.words).toBe(words);
  });

  it.each([
    ["an average", answer([["open", 2.345]]), { op: "avg", field: "fee" } as const],
    ["groups that are not all there", answer([["open", 2]], true), countOfRecords],
    [
      "figures below nothing",
      answer([
        ["a", -2],
        ["b", 3],
      ]),
      { op: "sum", field: "fee" } as const,
    ],
  ])("have no shares for %s", (_what, given, metric) => {
    expect(barsOf(given, byStatus, metric).bars.map(({ share }) => share)).not.toContainEqual(
      expect.any(Number),
    );
  });

  it("shows figures that are not numbers after the numbers", () => {
    const { bars } = barsOf(
      answer([
        ["a", null],
        ["b", "2026-01-02"],
        ["c", -1.5],
      ]),
      byStatus,
      {
        op: "min",
        field: "granted",
      },
    );
    expect(
      bars.map(({ words, valueWords, isNegative }) => [words, valueWords, isNegative]),
    ).toEqual([
      ["c", "-1.5", true],
      ["a", "", false],
      ["b", "2026-01-02", false],
    ]);
  });

  it.each([78, 118, 238])("fits a table of %i columns, the longest bar filling it", (width) => {
    const { bars } = barsOf(
      answer([
        ["open", 1_000],
        ["closed", 1],
      ]),
      byStatus,
      countOfRecords,
    );
    const columns = barColumns({ bars, parts: [] }, byStatus, countOfRecords, width);
    const fitted = fitColumns(
      columns,
      new WidestValues<(typeof bars)[number]>().with(columns, bars),
      width,
    );
    expect(fitted.map(({ column }) => column.id)).toEqual(["group", "bar", "value", "share"]);
    const taken = fitted.reduce((sum, column) => sum + column.width + 2, -2);
    expect(taken).toBeLessThanOrEqual(width);
    expect(taken).toBeGreaterThan(width - 6);
  });
});

/** Groups by two properties, the second one with an amount for each of its values. */
function parted(rows: readonly (readonly [granted: unknown, status: unknown, value: number])[]) {
  return {
    rows: rows.map(([granted, status, value]) => ({
      group: { granted, status },
      metrics: { value, values: 2 },
    })),
  };
}

describe("bars over time", () => {
  const byMonth = { field: "granted", step: "month" } as const;

  it("are in the order of time, with the months between them", () => {
    const rows = parted([
      [null, "open", 1],
      ["2026-01-05", "open", 2],
      ["2026-01-20", "open", 1],
      ["2026-04-01", "closed", 6],
    ]);
    const { bars, parts } = barsOf(rows, byMonth, countOfRecords);
    expect(bars.map(({ words, value, typed }) => [words, value, typed])).toEqual([
      ["2026-01", 3, "granted:2026-01"],
      ["2026-02", 0, "granted:2026-02"],
      ["2026-03", 0, "granted:2026-03"],
      ["2026-04", 6, "granted:2026-04"],
      ["(none)", 1, undefined],
    ]);
    expect(parts).toEqual([]);
  });

  it("have the figures of all days of a month", () => {
    const rows = parted([
      ["2026-01-05", "open", 10],
      ["2026-01-20", "open", 2],
    ]);
    const valueOf = (op: "avg" | "min" | "max" | "sum") =>
      barsOf(rows, byMonth, { op, field: "fee" }).bars.map(({ value }) => value);
    expect([valueOf("sum"), valueOf("min"), valueOf("max"), valueOf("avg")]).toEqual([
      [12],
      [2],
      [10],
      [3],
    ]);
    expect(metricsBody({ op: "avg", field: "fee" }, "month")).toEqual({
      value: { op: "sum", field: "fee" },
      values: { op: "count", field: "fee" },
    });
    const different = { op: "count_distinct", field: "holder" } as const;
    expect(metricFor(different, byMonth)).toEqual(countOfRecords);
    expect(metricFor(different, byStatus)).toEqual(different);
  });

  it("have parts with shades, the largest first, which fill the length of the bar", () => {
    const rows = parted([
      ["2026-01-05", "closed", 1],
      ["2026-01-20", "open", 3],
      ["2026-02-20", "open", 2],
    ]);
    const shown = barsOf(rows, { ...byMonth, splitBy: "status" }, countOfRecords);
    expect(shown.parts).toEqual(["open", "closed"]);
    expect(shown.bars.map(({ parts = [] }) => stackText(parts, 8))).toEqual(["██████▓▓", "████"]);
    expect(legendOf(shown.parts)).toBe("█ open  ▓ closed");
    expect(legendOf(["a", "b", "c", "d", "e", "f"])).toBe("█ a  ▓ b  ▒ c  ░ d  · others");
    const columns = barColumns(shown, byMonth, countOfRecords, 78);
    expect(columns.map(({ title }) => title)).toEqual([
      "granted by month",
      "█ open  ▓ closed",
      "records",
      "share",
    ]);
    expect(splittingFields(type, byMonth)).toEqual(["status", "urgent"]);
    expect(splittingFields(type, byStatus)).toEqual(["urgent"]);
    const average = { op: "avg", field: "fee" } as const;
    expect(metricFor(average, { ...byMonth, splitBy: "status" })).toEqual(countOfRecords);
  });
});

describe("groups of records that others refer to", () => {
  it("are shown by name if it is known", () => {
    const { bars } = barsOf(
      answer([
        ["p1", 3],
        [["p2", "p1"], 2],
        ["p3", 1],
        [null, 1],
      ]),
      byStatus,
      countOfRecords,
    );
    const nameOf = (id: string) => (id === "p1" ? "Ada" : undefined);
    const [column] = barColumns({ bars, parts: [] }, byStatus, countOfRecords, 78, nameOf);
    expect(bars.map((bar) => column?.value(bar))).toEqual(["Ada", "p2, Ada", "p3", "(none)"]);
  });
});

describe("the filter of a group", () => {
  it("of a period or a range is typed, also with a filter of JSON", () => {
    const bar = { group: "2026-01", typed: "granted:2026-01" };
    const filterOf = (text: string) => filterOfBar(text, type.properties, "granted", bar);
    expect(filterOf("fee>10")).toBe("fee>10 granted:2026-01");
    expect(filterOf('{"fee":1}')).toBe(
      '{"$and":[{"fee":1},{"granted":{"$startsWith":"2026-01"}}]}',
    );
  });

  it.each([
    ["", "status", "open", "status=open"],
    ["fee>10", "status", "open", "fee>10 status=open"],
    ["", "holder", 'Ann "the" O\\Brien, Ltd', 'holder="Ann \\"the\\" O\\\\Brien, Ltd"'],
    ["", "holder", "null", 'holder="null"'],
    ["", "holder", "", 'holder=""'],
    ["", "status", null, "status=null"],
    ["", "fee", 10.5, "fee=10.5"],
    ["", "urgent", true, "urgent=true"],
    ["", "holder", ["a", "b"], '{"holder":["a","b"]}'],
    // The groups are older than the choices, or than the type of the property.
    ["", "status", "withdrawn", '{"status":"withdrawn"}'],
    ["fee>10", "status", "gone", '{"$and":[{"fee":{"$gt":10}},{"status":"gone"}]}'],
    ["", "granted", "soon", '{"granted":"soon"}'],
    ['{"fee":1}', "status", "open", '{"$and":[{"fee":1},{"status":"open"}]}'],
  ])("%s, %s %s", (text, groupBy, group, filter) => {
    expect(filterOfBar(text, type.properties, groupBy, { group })).toBe(filter);
    const parsed = parseFilter(filter, type.properties);
    expect("problem" in parsed ? parsed.problem : undefined).toBeUndefined();
    if (text === "") expect(parsed).toEqual({ where: { [groupBy]: group } });
  });
});
