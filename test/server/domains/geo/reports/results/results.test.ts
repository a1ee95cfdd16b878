import { expect, test } from "vitest";
import { ExecutingReader } from "#server/database/reader.ts";
import type { ResultRecord } from "#server/domains/geo/reports/results/result-store.ts";
import { resultWithJob } from "#server/domains/geo/reports/results/results.ts";

const queued: ResultRecord = {
  workspace_id: "0190a000-0000-7000-8000-000000000001",
  id: "one",
  report_id: "report",
  job_id: "one",
  definition: "{}",
  status: "queued",
  is_scheduled: 0,
  kind: "grid",
  items: 0,
  placed: 0,
  row_count: 0,
  error: null,
  created_by: "someone",
  created_at: "2026-03-01T00:00:00.000Z",
  finished_at: null,
};
/** Its jobs have all ended, and were removed. */
const withoutJobs = new ExecutingReader("sqlite", () => ({ rows: [], changedRows: 0 }));

test("a result whose job ended after it was read is read again", async () => {
  const stored: ResultRecord = { ...queued, status: "succeeded", items: 5 };
  const found = await resultWithJob(withoutJobs, queued, () => Promise.resolve(stored));
  expect(found).toBe(stored);
});

test("a result whose job ended without an outcome has failed", async () => {
  const found = await resultWithJob(withoutJobs, queued, () => Promise.resolve(queued));
  expect(found).toMatchObject({
    status: "failed",
    error: "Its job has ended without a result",
    finished_at: queued.created_at,
  });
});
