import type { Reader, Writer } from "../../database/database.ts";
import type { Transaction } from "../../work/work.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { assignments, insertInto, raw, statement } from "../../database/statement.ts";

export interface InvitationRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly email: string;
  readonly email_key: string;
  readonly role: string;
  readonly role_definition_id: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly message: string | null;
  readonly redirect_uri: string | null;
  /** Digest of the secret, which the platform does not keep. */
  readonly secret_hash: string;
  /** `pending`, `accepted`, `declined` or `revoked`. */
  readonly state: string;
  /** `link`, `mail`, `mail-pending` or `mail-failed`. */
  readonly delivery: string;
  readonly invited_by: string;
  readonly decided_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
}
export type InvitationRow = InvitationRecord & { readonly role_key: string | null };

const selection = raw(`select invitations.*, role_definitions.key as role_key from invitations
  left join role_definitions on role_definitions.workspace_id = invitations.workspace_id
    and role_definitions.id = invitations.role_definition_id`);

export async function insertInvitation(tx: Transaction, row: InvitationRecord): Promise<void> {
  await tx.run(insertInto("invitations", row));
  tx.event("member", row.id, row.workspace_id, { op: "invited", type: "invitation" });
}

/** The invitation that carries this secret, whatever its state. */
export async function invitationBySecret(
  reader: Reader,
  secretHash: string,
): Promise<InvitationRow | undefined> {
  return reader.first<InvitationRow>(
    statement`${selection} where invitations.secret_hash = ${secretHash}`,
  );
}

export async function invitationById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return reader.first<InvitationRow>(statement`${selection}
    where invitations.workspace_id = ${workspaceId} and invitations.id = ${id}`);
}

/** Pending invitations that have not expired at `now`, the newest first. */
export async function pendingInvitations(
  reader: Reader,
  page: NewestPage & { readonly workspaceId: string; readonly now: string },
): Promise<InvitationRow[]> {
  const columns = { time: "invitations.created_at", id: "invitations.id" };
  return reader.all<InvitationRow>(statement`${selection}
    where invitations.workspace_id = ${page.workspaceId} and invitations.state = 'pending'
      and invitations.expires_at > ${page.now} ${newestFirst(page, columns)}`);
}

export async function countPendingInvitations(
  reader: Reader,
  workspaceId: string,
  now: string,
): Promise<number> {
  return countRows(
    reader,
    statement`from invitations where workspace_id = ${workspaceId} and state = 'pending'
      and expires_at > ${now}`,
  );
}

export async function updateInvitation(
  tx: Transaction,
  key: Pick<InvitationRecord, "workspace_id" | "id">,
  changes: Partial<Pick<InvitationRecord, "state" | "delivery" | "decided_by" | "updated_at">>,
): Promise<void> {
  await tx.run(statement`update invitations set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
  const { updated_at: _, ...named } = changes;
  const changed = Object.keys(named);
  tx.event("member", key.id, key.workspace_id, { type: "invitation", changed });
}

/** Ends the pending invitation of an address, before another one or after its acceptance. */
export async function revokePending(
  writer: Writer,
  key: Pick<InvitationRecord, "workspace_id" | "email_key">,
  now: string,
): Promise<void> {
  await writer.run(statement`update invitations set state = 'revoked', updated_at = ${now}
    where workspace_id = ${key.workspace_id} and email_key = ${key.email_key}
      and state = 'pending'`);
}

export async function hasUnsentMails(reader: Reader, before: string): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from invitations
    where delivery = 'mail-pending' and updated_at <= ${before} limit 1`);
  return row !== undefined;
}

/** Notes mails that a stopped process did not send; returns their number. */
export async function failUnsentMails(writer: Writer, before: string): Promise<number> {
  const { changedRows } = await writer.run(statement`update invitations
    set delivery = 'mail-failed' where delivery = 'mail-pending' and updated_at <= ${before}`);
  return changedRows;
}

export async function deleteOldInvitations(
  writer: Writer,
  before: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from invitations
    where (workspace_id, id) in (select workspace_id, id from invitations
      where expires_at < ${before} limit ${limit})`);
  return changedRows;
}
