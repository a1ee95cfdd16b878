import type { Transaction } from "../../work/work.ts";
import { raiseAlert } from "./alert-store.ts";
import type { Cause } from "./cause.ts";
import { readsOf } from "./reads.ts";
import type { RuleRecord } from "./store.ts";

export interface Raising {
  readonly rule: RuleRecord;
  readonly cause: Cause;
}

/** Stores an alert for each new cause, with its change in the feed; returns their number. */
export async function raiseAll(
  tx: Transaction,
  raisings: readonly Raising[],
  { now, isMailed }: { readonly now: Date; readonly isMailed: boolean },
): Promise<number> {
  let raised = 0;
  for (const { rule, cause } of raisings) {
    const id = Bun.randomUUIDv7();
    const { workspace_id: workspaceId, to_role: toRole, to_user: toUser } = rule;
    const isNew = await raiseAlert(tx, {
      workspace_id: workspaceId,
      id,
      rule_id: rule.id,
      rule_name: rule.name,
      cause: cause.key,
      kind: rule.kind,
      to_role: toRole,
      to_user: toUser,
      reads: readsOf(cause.needs),
      subject: cause.subject,
      about: JSON.stringify(cause.about),
      acknowledged_at: null,
      acknowledged_by: null,
      created_at: now.toISOString(),
      mail: isMailed ? "waiting" : null,
    });
    if (!isNew) continue;
    raised += 1;
    tx.event("alert", id, workspaceId, {
      op: "raised",
      type: rule.kind,
      ...(toUser === null ? {} : { participants: [toUser] }),
    });
  }
  return raised;
}
