import type { JobStatus } from "#contract/documents/jobs.ts";
import type { ChangeOperation } from "../work/change-event.ts";
import type { Transaction } from "../work/work.ts";
import type { Job } from "./job.ts";

const ended: ReadonlySet<JobStatus> = new Set([
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
]);

/** Reports a job's event at its creation and at each of its states. */
export function reportJob(tx: Transaction, job: Job, operation?: ChangeOperation): void {
  const { id, workspaceId, kind: type, state, createdBy } = job;
  const op = operation ?? (ended.has(state) ? "completed" : "updated");
  const actor = createdBy === "" ? {} : { actor: createdBy };
  tx.event("job", id, workspaceId, { op, type, after: { state }, ...actor });
}
