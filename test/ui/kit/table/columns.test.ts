import { describe, expect, it } from "vitest";
import {
  cellOf,
  fitColumns,
  WidestValues,
  type Column,
  type Widest,
} from "#ui/kit/table/columns.ts";

type Row = Readonly<Record<string, string>>;

function column(id: string, priority: number, part: Partial<Column<Row>> = {}): Column<Row> {
  return { id, title: id, value: (row) => row[id] ?? "", priority, ...part };
}

const rows: readonly Row[] = [
  { reference: "PA-2026-00042", address: "18 Quay Street", status: "open", officer: "m.okafor" },
];

const columns = [
  column("reference", 0, { pinned: true, minimum: 13 }),
  column("address", 2),
  column("status", 1),
  column("officer", 3),
];

/** The widest value of a column without shorter ones. */
function plain(value: number): Widest {
  return { value, shorter: value };
}

function widestOf<Value>(all: readonly Column<Value>[], values: readonly Value[]) {
  return new WidestValues<Value>().with(all, values);
}

function fitted(width: number, skip = 0): [string, number][] {
  return fitColumns(columns, widestOf(columns, rows), width, skip).map((one) => [
    one.column.id,
    one.width,
  ]);
}

describe("the columns of a table", () => {
  it("have a less important one back that the room of a wide one is enough for", () => {
    const some = [
      column("reference", 0, { pinned: true, minimum: 13 }),
      column("officer", 1, { minimum: 8 }),
      column("address", 2, { minimum: 30, title: "a heading of thirty characters" }),
      column("status", 3, { minimum: 4 }),
    ];
    const shown = fitColumns(some, widestOf(some, rows), 34).map((one) => one.column.id);
    expect(shown).toEqual(["reference", "officer", "status"]);
  });

  it("cut a name in its middle, and other values at their end", () => {
    const row = { reference: "consultation-replies-18-quay-street.csv" };
    const pinned = { column: column("reference", 0, { pinned: true }), width: 20 };
    expect(cellOf(pinned, row)).toBe("consultati…treet.csv");
    expect(cellOf({ ...pinned, column: column("reference", 0) }, row)).toBe("consultation-replie…");
  });
});

describe("fitColumns", () => {
  it("gives each column what it needs when there is room", () => {
    expect(fitted(100)).toEqual([
      ["reference", 13],
      ["address", 14],
      ["status", 6],
      ["officer", 8],
    ]);
  });

  it("drops the less important ones instead of cutting a heading or the first column", () => {
    expect(fitted(38)).toEqual([
      ["reference", 13],
      ["address", 14],
      ["status", 6],
    ]);
    expect(fitted(22)).toEqual([
      ["reference", 13],
      ["status", 6],
    ]);
    expect(fitted(5)).toEqual([["reference", 5]]);
  });

  it("never exceeds the width", () => {
    for (let width = 1; width < 120; width += 1) {
      const all = fitted(width);
      const taken = all.reduce((sum, [, each]) => sum + each, 0) + (all.length - 1) * 2;
      expect(taken).toBeLessThanOrEqual(width);
    }
  });

  it("cuts no column while there is room, also beyond its maximum", () => {
    const limited = [
      column("a", 0, { maximum: 10 }),
      column("b", 1, { maximum: 10 }),
      column("c", 2, { maximum: 10 }),
    ];
    const widths = (width: number) =>
      fitColumns(limited, [30, 12, 5].map(plain), width).map((one) => one.width);
    expect(widths(100)).toEqual([30, 12, 5]);
    expect(widths(45)).toEqual([26, 10, 5]);
    expect(widths(29)).toEqual([10, 10, 5]);
  });

  it("keeps room for the sign of the order in the sorted column alone", () => {
    const values = [13, 4, 4, 4].map(plain);
    const widths = (sortedBy?: string) =>
      fitColumns(columns, values, 100, 0, sortedBy).map((one) => one.width);
    expect(widths()).toEqual([13, 7, 6, 7]);
    expect(widths("status")).toEqual([13, 7, 8, 7]);
  });

  it("gives the room of values that are shortened anyway to a column that is cut", () => {
    const jobs = [column("document", 0, { maximum: 28 }), column("stages", 2, { maximum: 80 })];
    const values: Widest[] = [plain(40), { value: 42, shorter: 12 }];
    const widths = (width: number) => fitColumns(jobs, values, width).map((one) => one.width);
    expect(widths(84)).toEqual([40, 42]);
    expect(widths(83)).toEqual([39, 42]);
    expect(widths(71)).toEqual([40, 12]);
    expect(widths(54)).toEqual([40, 12]);
    expect(widths(50)).toEqual([36, 12]);
  });

  it("takes the widest values of all rows that were drawn", () => {
    const values = new WidestValues<Row>();
    expect(values.with(columns, rows)).toEqual([13, 14, 4, 8].map(plain));
    const wider = { ...rows[0], address: "1 A much longer street" };
    expect(values.with(columns, [wider, undefined])).toEqual([13, 22, 4, 8].map(plain));
    expect(values.with(columns, rows)).toEqual([13, 22, 4, 8].map(plain));
  });

  it("keeps no room for values that others will replace", () => {
    const named = column("named", 0, {
      value: ({ id }) => (id === "01a214df-19bf-7000-bb7b-cfddf4e8e05e" ? id : "PA-2026-0042"),
      isPending: ({ id }) => id !== "known",
    });
    const values = new WidestValues<Row>();
    expect(values.with([named], [{ id: "01a214df-19bf-7000-bb7b-cfddf4e8e05e" }])).toEqual([
      plain(0),
    ]);
    expect(values.with([named], [{ id: "known" }])).toEqual([plain(12)]);
  });

  it("skips columns at the left, but not the pinned one", () => {
    expect(fitted(100, 2).map(([id]) => id)).toEqual(["reference", "officer"]);
  });
});

describe("cellOf", () => {
  it.each(["x", "日本語日本語日本語", "👨‍👩‍👧 family", "\x1b[2Jred", "a\nb", ""])(
    "is exactly as wide as its column for %j",
    (value) => {
      const [fitted] = fitColumns([column("v", 0, { minimum: 8, maximum: 8 })], [plain(20)], 8);
      if (fitted === undefined) throw new Error("no column was fitted");
      expect(Bun.stringWidth(cellOf({ ...fitted, width: 8 }, { v: value }))).toBe(8);
    },
  );

  it("uses the shorter form if the value does not fit", () => {
    const stages = column("stages", 0, { shorter: () => "✓ ▶index" });
    const row = { stages: "✓store ▶index" };
    const text = (width: number) => cellOf({ column: stages, width }, row).trimEnd();
    expect([text(13), text(12), text(8), text(5)]).toEqual([
      "✓store ▶index",
      "✓ ▶index",
      "✓ ▶index",
      "✓ ▶i…",
    ]);
  });

  it("is at the right if it is a number", () => {
    const [one] = fitColumns([column("n", 0, { align: "right", minimum: 6 })], [plain(6)], 6);
    expect(one && cellOf({ ...one, width: 6 }, { n: "42" })).toBe("    42");
  });
});
