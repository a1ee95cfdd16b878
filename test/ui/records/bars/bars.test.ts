import { describe, expect, it } from "vitest";
import type { ObjectType } from "#client/index.ts";
import {
  barColumns,
  barsOf,
  countOfRecords,
  filterOfGroup,
  groupableFields,
  metricsBody,
  metricWords,
  possibleMetrics,
} from "#ui/records/bars/bars.ts";
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

function answer(values: readonly (readonly [group: unknown, value: unknown])[], truncated = false) {
  return {
    rows: values.map(([status, value]) => ({ group: { status }, metrics: { value } })),
    truncated,
  };
}

describe("records in groups", () => {
  it("offers fields for groups and figures", () => {
    expect(groupableFields(type)).toEqual(["status", "urgent", "holder", "fee", "granted"]);
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
    const bars = barsOf(
      answer([
        [null, 1],
        ["open", 6],
        ["closed", 3],
      ]),
      "status",
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
    const [bar] = barsOf(answer([[group, 1]]), "status", countOfRecords);
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
    expect(barsOf(given, "status", metric).map(({ share }) => share)).not.toContainEqual(
      expect.any(Number),
    );
  });

  it("shows figures that are not numbers after the numbers", () => {
    const bars = barsOf(
      answer([
        ["a", null],
        ["b", "2026-01-02"],
        ["c", -1.5],
      ]),
      "status",
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
    const bars = barsOf(
      answer([
        ["open", 1_000],
        ["closed", 1],
      ]),
      "status",
      countOfRecords,
    );
    const columns = barColumns(bars, "status", countOfRecords, width);
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

describe("groups of records that others refer to", () => {
  it("are shown by name if it is known", () => {
    const bars = barsOf(
      answer([
        ["p1", 3],
        [["p2", "p1"], 2],
        ["p3", 1],
        [null, 1],
      ]),
      "status",
      countOfRecords,
    );
    const nameOf = (id: string) => (id === "p1" ? "Ada" : undefined);
    const [column] = barColumns(bars, "status", countOfRecords, 78, nameOf);
    expect(bars.map((bar) => column?.value(bar))).toEqual(["Ada", "p2, Ada", "p3", "(none)"]);
  });
});

describe("the filter of a group", () => {
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
    expect(filterOfGroup(text, type.properties, groupBy, group)).toBe(filter);
    const parsed = parseFilter(filter, type.properties);
    expect("problem" in parsed ? parsed.problem : undefined).toBeUndefined();
    if (text === "") expect(parsed).toEqual({ where: { [groupBy]: group } });
  });
});
