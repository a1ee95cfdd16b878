import { describe, expect, it } from "vitest";
import type { DocumentJob } from "#client/index.ts";
import {
  hasReadText,
  isActive,
  jobLook,
  jobName,
  jobProblem,
  jobState,
  jobStateWords,
  shortStageBar,
  stageBar,
  stageLines,
} from "#ui/jobs/words.ts";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";
import { statusLook } from "#ui/kit/theme/theme.ts";
import { clockWords, progressBar } from "#ui/kit/text/words.ts";

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

describe("whether a job has extracted its document's text", () => {
  it.each([
    ["store succeeded, extract succeeded, index failed", 1, true],
    ["store succeeded, extract failed, index pending", 1, false],
    ["store succeeded, extract pending, index pending", 1, false],
    ["store succeeded, extract skipped, index skipped", 1, false],
    ["store skipped, extract skipped, index succeeded", 1, undefined],
    ["store succeeded, extract failed, index succeeded", 2, undefined],
    ["store succeeded, index running", 1, undefined],
  ])("%s, of %i: %s", (stages, documents, expected) => {
    expect(hasReadText(job(stages, documents))).toBe(expected);
  });
});

describe("a job of another deployment", () => {
  it("has the looks of its known states, and its own words", () => {
    const done = { ...job("store DONE, classify In-Progress"), status: "COMPLETED" };
    expect(shortStageBar(done)).toBe("✓ ▶classify");
    expect([jobState(done), jobStateWords(done), isActive(done)]).toEqual([
      "succeeded",
      "COMPLETED",
      false,
    ]);
    const busy = { ...done, status: "Processing" };
    expect([jobState(busy), jobStateWords(busy), isActive(busy)]).toEqual([
      "running",
      "Processing",
      true,
    ]);
  });

  it("with a failed stage is no success", () => {
    const failed = { ...job("store done, classify Errored"), status: "completed" };
    expect([jobState(failed), jobStateWords(failed)]).toEqual(["failed", "failed"]);
    expect(jobLook(failed)).toEqual(statusLook("failed"));
  });

  it("in a state that is not known stays active under its own name", () => {
    const odd = { ...job("store done"), status: "re_archiving" };
    expect([jobState(odd), jobStateWords(odd), isActive(odd)]).toEqual([
      undefined,
      "re archiving",
      true,
    ]);
  });
});

describe("jobs as text", () => {
  const plans: DocumentJob = {
    jobId: "j",
    status: "running",
    documents: [{ documentId: "d", filename: "plans.pdf" }, { documentId: "e" }],
    stages: [
      {
        name: "store",
        status: "succeeded",
        startedAt: "2026-11-21T11:00:00.000Z",
        finishedAt: "2026-11-21T11:00:03.000Z",
      },
      {
        name: "classify",
        status: "running",
        progress: { done: 3, total: 12, unit: "pages" },
        attempt: 2,
      },
      { name: "index", status: "pending" },
    ],
  };

  it("show stages as a bar and one by one", () => {
    expect(jobName(plans)).toBe("plans.pdf and 1 more");
    expect(stageBar(plans)).toBe("✓store ▶classify 3/12 ·index");
    const start = clockWords(Date.parse("2026-11-21T11:00:00.000Z"));
    expect(texts(stageLines(plans, 90, 0))).toEqual([
      ` ✓ store     succeeded    ${start} ${"━".repeat(33)} 3.0 s`,
      ` ▶ classify  running 3/12${" ".repeat(43)} 3 pages  attempt 2`,
      " · index     pending",
    ]);
    expect(progressBar(2, 4)).toBe("████");
  });

  it("keep the running stage if a bar has no room for all", () => {
    expect(shortStageBar(plans)).toBe("✓ ▶classify 3/12 ·");
    const short = (stages: string) => shortStageBar(job(stages));
    expect(short("store pending, index pending")).toBe("·store ·");
    expect(short("store succeeded, extract skipped, analyze running, index pending")).toBe(
      `✓${statusLook("skipped").glyph} ▶analyze ·`,
    );
    expect(short("store succeeded, index succeeded")).toBe("✓ ✓index");
    expect(shortStageBar({ ...plans, stages: [] })).toBe("");
  });

  it("say why a job failed", () => {
    expect(jobProblem({ ...plans, error: { message: "no text" } })).toBe("no text");
    const stages = [{ name: "extract", status: "failed", error: { message: "corrupt" } }];
    expect(jobProblem({ ...plans, stages })).toBe("corrupt");
  });
});

function texts(lines: readonly StyledLine[]): string[] {
  return lines.map((line) =>
    line
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );
}
