import { describe, expect, it } from "vitest";
import type { DocumentJob } from "#client/index.ts";
import { hasReadText } from "#ui/job-words.ts";

/** A job whose stages stand as given: `store succeeded, extract failed`. */
function job(stages: string, documents = 1): DocumentJob {
  return {
    jobId: "01936f00-0000-7000-8000-0000000000a1",
    status: "running",
    documents: Array.from({ length: documents }, (_, index) => ({ documentId: `${index}` })),
    stages: stages.split(", ").map((stage) => {
      const [name = "", status = ""] = stage.split(" ");
      return { name, status } as NonNullable<DocumentJob["stages"]>[number];
    }),
  } as DocumentJob;
}

describe("whether a job has read its document's text", () => {
  it.each([
    ["store succeeded, extract succeeded, index failed", 1, true],
    ["store succeeded, extract failed, index pending", 1, false],
    ["store succeeded, extract pending, index pending", 1, false],
    ["store succeeded, extract skipped, index skipped", 1, false],
    ["store skipped, extract skipped, index succeeded", 1, undefined],
    ["store succeeded, extract failed, index succeeded", 2, undefined],
    ["store succeeded, index running", 1, undefined],
  ])("%s, of %i: %s", (stages, documents, told) => {
    expect(hasReadText(job(stages, documents))).toBe(told);
  });
});
