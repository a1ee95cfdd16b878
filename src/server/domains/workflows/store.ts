import type { Reader } from "../../database/database.ts";
import type { Transaction } from "../../work/work.ts";
import { insertInto, statement } from "../../database/statement.ts";

/** The wish of a workspace for a workflow; one for each key. */
export interface WorkflowRequestRow {
  readonly workspace_id: string;
  readonly workflow_key: string;
  readonly id: string;
  readonly display_name: string | null;
  readonly reason: string | null;
  readonly requested_by: string;
  readonly created_at: string;
}

export async function requestOf(
  reader: Reader,
  workspaceId: string,
  key: string,
): Promise<WorkflowRequestRow | undefined> {
  return reader.first<WorkflowRequestRow>(statement`select * from workflow_requests
    where workspace_id = ${workspaceId} and workflow_key = ${key}`);
}

/** Keeps an earlier request of the same workflow. */
export async function insertRequest(tx: Transaction, row: WorkflowRequestRow): Promise<void> {
  await tx.run(statement`${insertInto("workflow_requests", row)}
    on conflict (workspace_id, workflow_key) do nothing`);
  tx.event("workflow", row.workflow_key, row.workspace_id, { changed: ["request"] });
}
