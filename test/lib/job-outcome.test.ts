import { describe, expect, it } from "vitest";
import { readJob, trackedState } from "#lib/job-outcome.ts";

describe("a state in a deployment's words", () => {
  it.each([
    ["succeeded", "Completed complete DONE success Successful Succeeded finished OK"],
    ["failed", "error Errored FAILED failure"],
    ["cancelled", "canceled Cancelled aborted"],
    ["running", "processing in_progress In-Progress inProgress IN_PROGRESS started"],
    ["pending", "pending waiting Not_Started"],
    ["queued", "queued Accepted submitted"],
    ["completed_with_errors", "completed_with_errors CompletedWithErrors completed-with-errors"],
    ["skipped", "Skipped not_applicable"],
  ])("is %s, whatever its case and separators", (state, words) => {
    for (const word of words.split(" ")) {
      expect([word, trackedState(word)]).toEqual([word, state]);
    }
  });

  it("has blanks compared as separators", () => {
    expect(trackedState("Completed with errors")).toBe("completed_with_errors");
    expect(trackedState("  in\tprogress ")).toBe("running");
  });

  it.each(["archiving", "", "constructor", "x".repeat(1000), 3, null, undefined])(
    "is not known: %j",
    (word) => {
      expect(trackedState(word)).toBeUndefined();
    },
  );
});

describe("a job", () => {
  const stages = (...states: string[]) => states.map((status) => ({ status }));
  it.each([
    [{ state: "Succeeded" }, "succeeded"],
    [{ status: "", state: "done" }, "succeeded"],
    [{ status: "done", stages: null }, "succeeded"],
    [{ status: "done", stages: stages("done", "ERROR") }, "failed"],
    [{ status: "done", stages: stages("done", "canceled") }, "completed_with_errors"],
    [{ status: "completed with errors", stages: stages("error") }, "completed_with_errors"],
    [{ status: "cancelled", stages: stages("failed", "skipped") }, "cancelled"],
    [{ status: "archiving", stages: stages("failed", "running") }, "failed"],
    [{ status: "running", stages: stages("failed", "running") }, "pending"],
    [{ status: "running", stages: stages("failed", "skipped") }, "failed"],
    [{ status: "archiving", stages: stages("done") }, "pending"],
    [{ status: "queued" }, "pending"],
    [{}, "pending"],
    [{ stages: [] }, "pending"],
    [{ stages: stages("done", "running") }, "pending"],
    [{ stages: stages("done", "skipped") }, "succeeded"],
    [{ stages: stages("done"), percentCompleted: 50 }, "pending"],
    [{ stages: stages("done", "failed") }, "failed"],
    [{ stages: stages("done", "completed_with_errors") }, "completed_with_errors"],
  ])("%j is %s", (job, outcome) => {
    expect(readJob(job).outcome).toBe(outcome);
  });
});
