import { AuditChain } from "#lib/audit-chain.ts";
import { raw } from "../../database/statement.ts";
import type { Work } from "../../work/work.ts";
import type { Secrets } from "../secrets/service.ts";
import { AuditSeals } from "./seals.ts";
import { entryOf } from "./listed-entry.ts";
import { entries, headOf, type HeadRow } from "./store.ts";

export interface LogCheck {
  readonly entries: number;
  readonly faults: readonly string[];
}

const pageSize = 1_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Follows the chains of all logs of a database, and compares each with its signed end. Nothing is
 * written. The signatures need the secrets of the database.
 */
export async function auditFaults(
  work: Work,
  secrets: Secrets | undefined,
  signal?: AbortSignal,
): Promise<LogCheck> {
  const faults: string[] = [];
  let count = 0;
  const seals = secrets && sealsOf(work, secrets);
  const logs = await work.read.all<{ id: string }>(
    raw("select workspace_id as id from audit_heads order by workspace_id"),
  );
  for (const { id } of logs) {
    const head = await headOf(work.read, id);
    const chain = await chainOf(work, head, seals, signal);
    count += chain.entries;
    if (chain.fault !== undefined) faults.push(`The audit log of ${nameOf(id)}: ${chain.fault}`);
    const seal = await seals?.check(work.read, head);
    if (seal?.state === "altered") {
      faults.push(`The audit log of ${nameOf(id)} does not fit its signed end`);
    }
  }
  return { entries: count, faults };
}

/** The seals of a database that is only read. */
export function sealsOf(work: Work, secrets: Secrets): AuditSeals {
  return new AuditSeals({
    platformWork: () => work,
    secrets,
    now: () => new Date(),
    logger: quiet,
  });
}

function nameOf(workspaceId: string): string {
  return workspaceId === "" ? "the platform" : workspaceId;
}

async function chainOf(
  work: Work,
  head: HeadRow,
  seals: AuditSeals | undefined,
  signal: AbortSignal | undefined,
): Promise<AuditChain> {
  const start = { sequence: head.removed_sequence, digest: head.removed_digest };
  const chain = new AuditChain(start, undefined);
  for (let after: number | undefined = head.removed_sequence; after !== undefined;) {
    signal?.throwIfAborted();
    const page = { isAscending: true, after, limit: pageSize, offset: 0 };
    const rows = await entries(work.read, { workspaceId: head.workspace_id }, page);
    for (const row of rows) chain.add({ ...(seals?.listed(row) ?? entryOf(row)) });
    after = rows.length < pageSize ? undefined : rows.at(-1)?.sequence;
  }
  chain.end();
  if (chain.last?.digest !== head.digest) chain.fault ??= "its last entry is missing";
  return chain;
}
