import { expect, test } from "vitest";
import { jobOfRow, newStage, percentOfStages, resumedStages } from "#server/jobs/job.ts";

const stage = (status: string, more: object = {}) =>
  ({ ...newStage(status), status, attempt: 2, startedAt: "2026", ...more }) as never;

test("stages begin again from the first one that did not succeed", () => {
  const stages = [stage("succeeded"), stage("failed"), stage("succeeded"), stage("skipped")];
  const resumed = resumedStages(stages);
  expect(resumed.map(({ status }) => status)).toEqual([
    "succeeded",
    "pending",
    "pending",
    "pending",
  ]);
  expect(resumed[0]).toBe(stages[0]);
  expect(resumed[1]).toMatchObject({ attempt: 2, startedAt: "2026", error: null });
  expect(resumedStages([stage("succeeded"), stage("skipped")]).map(({ status }) => status)).toEqual(
    ["succeeded", "pending"],
  );
});

test("each stage has the same weight", () => {
  const half = stage("running", { progress: { done: 5, total: 10, unit: "pages" } });
  const unknown = stage("running", { progress: { done: 5, total: null, unit: "pages" } });
  const over = stage("running", { progress: { done: 50, total: 10, unit: "pages" } });
  expect(percentOfStages([])).toBe(0);
  expect(percentOfStages([stage("succeeded"), half, stage("pending")])).toBe(50);
  expect(percentOfStages([unknown, stage("failed")])).toBe(0);
  expect(percentOfStages([over])).toBe(100);
});

test("the JSON columns of a row are read", () => {
  const row = { id: "1", payload: '{"a":1}', stages: "[]", counts: "{}", error: null } as never;
  expect(jobOfRow(row)).toEqual({
    id: "1",
    payload: { a: 1 },
    stages: [],
    counts: {},
    error: null,
  });
});
