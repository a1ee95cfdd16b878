import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { openFake } from "../support/open-fake.ts";
import { attentionSequence, endedJob } from "#ui/jobs/failed-jobs.ts";

const unreadable = "The file is not a readable PDF";

describe.each([
  { jobStatus: "failed", words: unreadable, cols: 80, rows: 24, badge: /3 Jobs 1 ✗/ },
  { jobStatus: "failed", words: unreadable, cols: 120, rows: 40, badge: /3 Jobs +1 ✗ │/ },
  {
    jobStatus: "completed_with_errors",
    words: "its job ended with errors",
    cols: 120,
    rows: 40,
    badge: /3 Jobs +1 ✗ │/,
  },
])("a job that ends as $jobStatus, at $cols x $rows", ({ badge, jobStatus, words, ...size }) => {
  it("has a badge at its place until that is opened, and a line in the log", async () => {
    const eventsAt = join(await temporaryDirectory("failed"), "events");
    await writeFile(eventsAt, "");
    await using terminal = openFake({ eventsAt, jobStatus }, size);
    await terminal.waitFor("▸ licence");
    await terminal.waitFor("● live");
    expect(terminal.text()).not.toMatch(/Jobs +1 ✗/);
    await appendFile(eventsAt, "svc.document.job.completed\n");
    await terminal.waitFor(badge);
    terminal.write("@");
    await terminal.waitFor(`✗  plans.pdf: ${words}`);
    terminal.write("\x1b");
    await terminal.waitFor((screen) => !screen.includes("Notices and commands"));
    terminal.write("3");
    await terminal.waitFor("▸ plans.pdf");
    await terminal.waitFor((screen) => !badge.test(screen));
  });
});

test("only the end of a job names one, and a notification has no control characters", () => {
  const data = { id: "j1" };
  expect(endedJob({ type: "svc.document.job.completed", data })).toBe("j1");
  expect(endedJob({ type: "svc.document.job.updated", data })).toBeUndefined();
  const type = "svc.document.job.completed";
  const failed = { ...data, kind: "document", after: { state: "failed" } };
  expect(endedJob({ type, data: failed })).toBe("j1");
  const partial = { ...failed, after: { state: "completed_with_errors" } };
  expect(endedJob({ type, data: partial })).toBe("j1");
  expect(endedJob({ type, data: { ...failed, kind: "geo-report" } })).toBeUndefined();
  expect(endedJob({ type, data: { ...failed, after: { state: "succeeded" } } })).toBeUndefined();
  expect(endedJob({ type: "svc.document.job.completed", data: null })).toBeUndefined();
  expect(attentionSequence("a\x07b\x1b]0;c")).toMatch(/^\x1b\]9;[^\x00-\x1f]*\x07\x07$/);
});
