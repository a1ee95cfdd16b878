import { expect, it } from "vitest";
import type { AuditEntry } from "#client/index.ts";
import {
  entryLines,
  entryRows,
  entryRuns,
  figureLines,
  summaryLines,
} from "#ui/operations/health-columns.ts";

const nowMs = Date.parse("2026-11-28T10:00:00Z");

function entry(sequence: number, part: object): AuditEntry {
  const at = "2026-11-28T09:56:00Z";
  const common = { actor: "u", actorName: "m.okafor", outcome: "done" };
  const request = { action: "resources.create", path: "/v4/resources/licence" };
  return { ...common, ...request, sequence, at, ...part } as never;
}

const entries = [
  entry(4, {}),
  entry(3, {}),
  entry(2, { actorName: undefined, actor: "" }),
  entry(1, { outcome: "refused", code: "permission-denied" }),
];

it("entries of one kind that follow each other are one line with their number", () => {
  expect(entryRuns(entries).map(({ count }) => count)).toEqual([2, 1, 1]);
  const view = { width: 80, rows: 4, nowMs, none: "none" };
  const lines = entryLines("Last changes", entries, view).map((line) =>
    line.map(({ text }) => text).join(""),
  );
  expect(lines).toEqual([
    "Last changes",
    "4m    m.okafor              resources.create  /v4/resources/licence  ×2",
    "4m    anonymous             resources.create  /v4/resources/licence",
    "4m    m.okafor              resources.create  permission-denied",
  ]);
  expect(entryLines("Last changes", entries, { ...view, rows: 3 })).toHaveLength(3);
  expect(entryLines("Last changes", entries, { ...view, rows: 1 })).toEqual([]);
  expect(entryLines("Last changes", [], view)[1]?.[0]?.text).toBe("none");
});

it("entries are joined only as far as the rows need it, the newest ones last", () => {
  const many = Array.from({ length: 9 }, (_, at) => entry(20 - at, {}));
  const two = [...many, entry(2, { actorName: "e.hughes" }), entry(1, { actorName: "e.hughes" })];
  const view = { width: 80, nowMs, none: "none" };
  const timesIn = (rows: number) =>
    entryLines("Last changes", two, { ...view, rows })
      .slice(1)
      .map((line) => /×\d+/.exec(line.map(({ text }) => text).join(""))?.[0] ?? "");
  expect(timesIn(3)).toEqual(["×9", "×2"]);
  expect(timesIn(6)).toEqual(["", "", "", "×6", "×2"]);
  expect(timesIn(12)).toEqual(Array.from({ length: 11 }, () => ""));
});

it("few entries have a row each, and one with their time and whole path", () => {
  const view = { width: 80, rows: entryRows(entries), nowMs, none: "none" };
  const lines = entryLines("Last changes", entries, view).map((line) =>
    line.map(({ text }) => text).join(""),
  );
  expect(lines).toHaveLength(9);
  expect(lines.slice(0, 3)).toEqual([
    "Last changes",
    "4m    m.okafor              resources.create",
    "      2026-11-28T09:56:00Z  /v4/resources/licence",
  ]);
  expect(entryRows([])).toBe(2);
});

const textOf = (lines: ReturnType<typeof entryLines>) =>
  lines.map((line) => line.map(({ text }) => text).join(""));

it("figures are bars, the largest first, as many as there are rows", () => {
  const figures = new Map([
    ["permit", 3],
    ["licence", 1_200],
    ["nothing", 0],
  ]);
  const lines = textOf(figureLines("Records", figures, { width: 60, rows: 9 }));
  expect(lines).toEqual([
    "Records",
    `licence  1,200  ${"▇".repeat(24)}`,
    "permit       3  ▇",
    "nothing      0  ",
  ]);
  expect(figureLines("Records", figures, { width: 60, rows: 3 })).toHaveLength(3);
  expect(figureLines("Records", new Map(), { width: 60, rows: 9 })).toEqual([]);
  for (const line of textOf(figureLines("Records", figures, { width: 20, rows: 9 }))) {
    expect(line.length).toBeLessThanOrEqual(20);
  }
});

it("the last writes are counted by person and by kind, in the rows that are there", () => {
  const last = { done: entries.slice(0, 3), refused: entries.slice(3) };
  expect(textOf(summaryLines(last, { width: 60, rows: 20 }))).toEqual([
    "People of the last 4 writes",
    `m.okafor   3  ${"▇".repeat(24)}`,
    "anonymous  1  ▇▇▇▇▇▇▇▇",
    "",
    "Kinds of the last 4 writes",
    `resources.create  4  ${"▇".repeat(24)}`,
  ]);
  expect(summaryLines(last, { width: 60, rows: 1 })).toEqual([]);
  expect(summaryLines(last, { width: 60, rows: 5 })).toHaveLength(5);
  expect(summaryLines({ done: [], refused: [] }, { width: 60, rows: 20 })).toEqual([]);
});
