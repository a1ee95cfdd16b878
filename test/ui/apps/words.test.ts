import { expect, test } from "vitest";
import {
  appColumns,
  appLines,
  appName,
  jobLines,
  workflowLines,
  workspaceWords,
} from "#ui/apps/words.ts";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";

const nowMs = Date.parse("2026-01-02T00:00:00Z");
const text = (lines: readonly StyledLine[]): string =>
  lines.map((line) => line.map((span) => span.text).join("")).join("\n");
const memberships = [{ id: "c", slug: "child" }] as never;

test("a workspace has its slug where the user may see it", () => {
  expect([
    workspaceWords("c", memberships),
    workspaceWords("x", memberships),
    workspaceWords(undefined, undefined),
  ]).toEqual(["child", "x", ""]);
  expect(appName({ key: "k" } as never)).toBe("k");
});

test("the columns of an app", () => {
  const app = { id: "1", key: "planning", status: "active", runtimeTenantId: "c" } as never;
  const shown = Object.fromEntries(
    appColumns(nowMs, memberships).map(({ id, value }) => [id, value(app)]),
  );
  expect(shown).toMatchObject({ key: "planning", name: "", runs: "child", address: "" });
  expect(shown["status"]).toMatch(/active$/);
});

test("an app without a job offers the key, and a failed job has its error", () => {
  const view = { width: 60, nowMs, failure: undefined, memberships, offer: "P provisions it" };
  const app = { id: "1", key: "planning" } as never;
  expect(text(appLines(app, { ...view, job: undefined }))).toMatch(/^P provisions it\n/);
  const job = { jobId: "j", status: "failed", error: { message: "no storage" }, steps: [] };
  expect(text(jobLines(job as never, 60, nowMs))).toMatch(/error +no storage/);
});

test("only a workflow that is not ready is offered", () => {
  const view = { width: 60, nowMs, runtime: undefined, failure: undefined, offer: "a requests it" };
  const row = { workflow_key: "intake", ready: false, reason: "no model" };
  expect(text(workflowLines(row as never, view))).toMatch(/reason +no model[^]*a requests it$/);
  expect(text(workflowLines({ ...row, ready: true } as never, view))).not.toContain("requests it");
});
