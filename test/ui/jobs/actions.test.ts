import { expect, test } from "vitest";
import { jobCancel, jobRetry } from "#ui/jobs/actions.ts";
import { recorded } from "../support/recorded-action.ts";

const job = { jobId: "j1", documents: [{ filename: "a.pdf" }, { filename: "b.pdf" }] } as never;

test("a job is cancelled and runs again", async () => {
  expect(await recorded(jobCancel, job)).toMatchObject({
    title: "Cancel the job of a.pdf and 1 more",
    effects: ["1 job, of 2 documents", "stages that have ended stay; R runs it again"],
    command: [["docs", "cancel", "j1"]],
    calls: [["useDocuments.cancelJob", "j1"]],
  });
  expect(await recorded(jobRetry, { jobId: "j1" } as never)).toMatchObject({
    title: undefined,
    calls: [["useDocuments.retryJob", "j1"]],
    done: "j1 runs again",
  });
});
