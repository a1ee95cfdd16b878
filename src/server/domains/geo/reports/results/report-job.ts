import type { ReportDefinition } from "#contract/geo/reports.ts";
import { Refusal } from "#contract/problems.ts";
import { JobFailedError, type JobContext, type JobWork } from "../../../../jobs/runner.ts";
import { workOfRole } from "../../../../work/works.ts";
import type { AccessService } from "../../../members/service.ts";
import type { ReportRuns } from "../run-report.ts";
import { endResult, resultOfJob, type ResultRecord } from "./result-store.ts";

export const reportJobKind = "geo-report";
export const reportStage = "report";
/** Items that a job reads; a request reads a tenth. */
const mostItems = 1_000_000;
const mostCharacters = 8 * 1024 * 1024;

export interface ReportJobParts {
  readonly runs: ReportRuns;
  readonly access: Pick<AccessService, "actingIn">;
}

/**
 * Runs a report with the rights that its maker has at that time, and stores its rows. `parts` are
 * those of the platform once it has started.
 */
export function reportWork(parts: () => ReportJobParts, now: () => Date): JobWork {
  return async (job, context) => {
    const row = await resultOfJob(context.work.read, job.workspaceId, job.id);
    if (row === undefined || row.status !== "queued") return;
    await context.runStage(reportStage, async () => {
      const ended = await outcomeOf(row, context, parts(), now());
      const finished_at = now().toISOString();
      await context.write((tx) => endResult(tx, row, { ...ended, finished_at }));
      if (ended.error !== undefined) throw new JobFailedError(ended.error, "report-failed");
    });
  };
}

async function outcomeOf(
  { workspace_id: id, created_by, definition }: ResultRecord,
  { work, signal }: JobContext,
  { runs, access }: ReportJobParts,
  at: Date,
) {
  const held = await access.actingIn(id, created_by, at);
  if (held === undefined) {
    return { status: "failed" as const, error: "The maker has no access to the workspace" };
  }
  const workspace = { ...held, id };
  const scope = { work: workOfRole(work, workspace), workspace, signal, mostItems };
  try {
    // Only the request of a report writes the column.
    const parsed = JSON.parse(definition) as ReportDefinition;
    const { items, placed, rows } = await runs.runDefinition(scope, parsed);
    const content = JSON.stringify(rows);
    if (content.length <= mostCharacters) {
      return { status: "succeeded" as const, content, items, placed, row_count: rows.length };
    }
    const error = "The result has more than 8 MiB: choose larger groups or a narrower filter";
    return { status: "failed" as const, error };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = error.options.errors ?? [];
    const detail = first === undefined ? error.message : `${first.pointer} ${first.detail}`;
    return { status: "failed" as const, error: detail };
  }
}
