import { expect, it, test } from "vitest";
import { byWords, reportLines, scheduleWords, sourceWords } from "#ui/geo/reports/report-words.ts";

const report = { report: "r" };

test.each([
  [{ kind: "areas", dataset: "wards" }, "areas of wards"],
  [{ kind: "grid", metres: 5_000 }, "cells of 5,000 m"],
  [{ kind: "grid", degrees: 0.5 }, "cells of 0.5°"],
  [{ kind: "rings", position: [1, 2], metres: [500, 1000] }, "rings of 500 m, 1,000 m around 1, 2"],
  [{ kind: "nearest", position: [1, 2], count: 3 }, "the nearest 3 to 1, 2"],
  [{ kind: "buffer", geometry: { type: "Point" }, metres: 50 }, "within 50 m of a Point"],
  [{ kind: "later" }, "later"],
])("the groups %o are named %s", (by, words) => {
  expect(byWords({ ...report, by })).toBe(words);
});

it("names the source and the times", () => {
  expect(sourceWords({ ...report, source: { type: "tree", property: "at" } })).toBe("tree by at");
  expect(sourceWords({ ...report, source: { dataset: "parks" } })).toBe("features of parks");
  expect(scheduleWords({ ...report, schedule: { every: "hour" } })).toBe("every hour");
  expect(
    scheduleWords({ ...report, schedule: { every: "month", day: 5, timeZone: "Asia/Tokyo" } }),
  ).toBe("every month on day 5 at 06:00 Asia/Tokyo");
  expect(scheduleWords(report)).toBe("");
});

it("shows figures and the person whose rights a schedule has", () => {
  const metrics = { fees: { op: "sum", field: "fee" } };
  const scheduled = { ...report, metrics, scheduled_by: "u-1", due_at: "2026-11-28T06:00:00Z" };
  const lines = reportLines(scheduled, { width: 80, nowMs: 0 }, () => "Ada");
  const text = lines.map((line) => line.map((span) => span.text).join("")).join("\n");
  expect(text).toMatch(/figures +fees: sum of fee[^]*rights of +Ada/);
});
