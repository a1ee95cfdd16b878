import { expect, test } from "vitest";
import { endWords, progressText } from "#commands/docs/job-text.ts";

const job = (more: object): never => ({ jobId: "j", ...more }) as never;

test("a job's stages are in one line", () => {
  const stages = [
    { name: "extract", status: "succeeded" },
    { name: "index", status: "running", progress: { done: 2 }, counts: { failed: 1 } },
    { name: "classify", status: "odd" },
  ];
  expect(progressText(job({ status: "running", stages }))).toBe(
    "running  extract ✓  index ▶ 2/? 1 failed  classify odd",
  );
});

test.each([
  [{ status: "running" }, "pending", "Still running after 9 s; the job continues"],
  [
    { status: "odd" },
    "pending",
    `The job's state "odd" is not known; no known end came within 9 s`,
  ],
  [{}, "pending", "The job names no state; no known end came within 9 s"],
  [{ status: "failed" }, "failed", "The job ended as failed"],
  [
    { status: "failed", stages: [{ name: "", status: "failed" }] },
    "failed",
    "The job ended as failed; failed: stage 1",
  ],
] as const)("the end of %j", (facts, outcome, words) => {
  expect(endWords(job(facts), outcome, 9)).toBe(words);
});
