import { expect, test } from "vitest";
import { doneMs, medianWords } from "#ui/jobs/use-job-home.ts";

test("the median is that of the newest jobs that succeeded", () => {
  const job = (status: string, tookMs: number) => ({
    jobId: status,
    status,
    createdAt: "2026-11-20T10:00:00.000Z",
    updatedAt: new Date(Date.parse("2026-11-20T10:00:00.000Z") + tookMs).toISOString(),
  });
  const jobs = [job("succeeded", 1_400), job("failed", 9), job("succeeded", 200)];
  expect(doneMs(jobs)).toEqual([200, 1_400]);
  expect([[238], [200, 1_400, 2_000], [120_000]].map(medianWords)).toEqual([
    "238 ms",
    "1.4 s",
    "2m",
  ]);
});
