import { expect, it } from "vitest";
import type { AuditEntry } from "#client/index.ts";
import { entryLines, entryRows, entryRuns } from "#ui/operations/health-columns.ts";

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
  const view = { width: 80, rows: 8, nowMs, none: "none" };
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
