import { describe, expect, it } from "vitest";
import { groupingWords, rangeWidth, scaleOf, withGaps } from "#ui/records/bars/grouping.ts";

type Step = Parameters<typeof scaleOf>[0]["step"];

function buckets(step: Step, values: readonly unknown[], most = 100) {
  const scale = scaleOf({ field: "at", step }, values);
  const known = new Map(
    values.flatMap((value) => {
      const bucket = scale.bucketOf(value);
      return bucket === undefined ? [] : [[bucket.start, bucket] as const];
    }),
  );
  return withGaps([...known.values()], scale, most);
}

describe("parts of a scale", () => {
  it.each([
    [
      "month" as const,
      ["2026-11-30T23:59:59.000Z", "2027-02-01"],
      ["at:2026-11", "at:2026-12", "at:2027-01", "at:2027-02"],
    ],
    ["year" as const, ["0999-05-01", "1001-01-01"], ["at:0999", "at:1000", "at:1001"]],
    [
      // A Sunday belongs to the week of the Monday before it.
      "week" as const,
      ["2026-11-29", "2026-12-01", "2026-12-14"],
      [
        "at>=2026-11-23 at<2026-11-30",
        "at>=2026-11-30 at<2026-12-07",
        "at>=2026-12-07 at<2026-12-14",
        "at>=2026-12-14 at<2026-12-21",
      ],
    ],
    [
      "range" as const,
      [-1, 0.5, 31],
      ["-2", "0", "2", "4"].map((at) => `at>=${at} at<${Number(at) + 2}`),
    ],
  ])("by %s are in order and without gaps", (step, values, typed) => {
    const found = buckets(step, values).map((bucket) => bucket.typed);
    expect(found.slice(0, typed.length)).toEqual(typed);
    if (step !== "range") expect(found).toHaveLength(typed.length);
  });

  it.each([
    [0, 42, 5],
    [0, 6_936, 500],
    [0, 1, 0.1],
    [7, 7, 1],
    [Infinity, -Infinity, 1],
  ])("from %s to %s are ranges of %s", (least, most, width) => {
    expect(rangeWidth(least, most)).toBeCloseTo(width, 10);
  });

  it("of fractions have bounds without further digits", () => {
    expect(buckets("range", [0.1, 0.35, 1]).map(({ words }) => words)).toEqual([
      "0.1 – 0.2",
      "0.2 – 0.3",
      "0.3 – 0.4",
      "0.4 – 0.5",
      "0.5 – 0.6",
      "0.6 – 0.7",
      "0.7 – 0.8",
      "0.8 – 0.9",
      "0.9 – 1",
      "1 – 1.1",
    ]);
  });

  it("that are too far apart stay without those between them", () => {
    expect(buckets("week", ["0001-01-01", "2026-11-23"]).map(({ start }) => start)).toEqual([
      "0001-01-01",
      "2026-11-23",
    ]);
  });

  it("have no place for values of another kind", () => {
    expect(buckets("month", [null, 7, "soon", "2026-13-01"])).toEqual([]);
    expect(groupingWords({ field: "decision_date", step: "week" })).toBe("decision date by week");
  });
});
