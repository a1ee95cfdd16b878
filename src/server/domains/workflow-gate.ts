import type { Transaction, Work } from "../work/work.ts";

/** Keys of a workflow, and of the app in which it is used. */
export interface UsedWorkflow {
  readonly workflow_key: string;
  readonly vertical_key?: string | undefined;
}

/**
 * Refuses the use of a workflow with the status and reason of its runtime status (spec 2.11);
 * `operator_required` alone does not refuse. Resolves to a last check of the workflow's limit, for
 * the transaction that stores the use; undefined without a limit. Another domain implements it.
 */
export type WorkflowGate = (
  work: Work,
  workspaceId: string,
  used: UsedWorkflow,
) => Promise<((tx: Transaction) => Promise<void>) | undefined>;
