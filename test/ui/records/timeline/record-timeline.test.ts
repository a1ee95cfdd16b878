import { expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import { axisLines, momentLines, momentsOf } from "#ui/records/timeline/record-timeline.ts";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";

const type: ObjectType = {
  id: "t",
  name: "Planning application",
  slug: "planning-application",
  properties: {
    received: { type: "date" },
    due: { type: "date", meaning: "due" },
    status: { type: "string" },
  },
};
const record: Resource = {
  id: "r",
  version: 2,
  data: { received: "2026-11-01", due: "2026-11-30", status: "open" },
  created_at: "2026-11-02T10:00:00.000Z",
};
const versions = [
  {
    version: 2,
    operation: "update",
    at: "2026-11-10T10:00:00.000Z",
    actor: "u-1",
    changes: [
      { op: "test", path: "/status", value: "received" },
      { op: "replace", path: "/status", value: "open" },
    ],
  },
  { version: 1, operation: "create", at: "2026-11-02T10:00:00.000Z", actor: "u-1", changes: [] },
] as const;
const nowMs = Date.parse("2026-11-28T12:00:00Z");
const moments = momentsOf(type, record, {
  versions: versions.map((each) => ({ ...each, changes: [...each.changes] })),
  nowMs,
  nameOf: () => "Ada",
});
const textsOf = (lines: readonly StyledLine[]) =>
  lines.map((line) => line.map(({ text }) => text).join(""));

it("has the dates of a record and the writes to it in the order of time", () => {
  expect(moments.map(({ glyph, words }) => `${glyph} ${words}`)).toEqual([
    "● received",
    "· v1 create by Ada",
    "· v2 status received → open by Ada",
    "! due",
  ]);
});

it("draws today between what was and what comes", () => {
  const lines = textsOf(momentLines(moments, { width: 70, nowMs }));
  expect(lines.map((line) => line.trim().split(/\s+/)[0])).toEqual([
    "2026-11-01",
    "2026-11-02",
    "2026-11-10",
    "──",
    "2026-11-30",
  ]);
  expect(lines[3]).toContain("today");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(70);
});

it("draws the dates on a line, with the names that have room", () => {
  const [axis = "", names = ""] = textsOf(axisLines(moments, { width: 60, nowMs }));
  expect(axis).toMatch(/^●─+○─+!$/);
  expect(names).toMatch(/^received +.*due$/);
  expect(names.indexOf("due")).toBe(axis.indexOf("!"));
  expect(axisLines(moments, { width: 20, nowMs })).toEqual([]);
});
