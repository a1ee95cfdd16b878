import type { Reader } from "../../database/database.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { assignments, insertInto, statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

/** An app as a client of the OpenID provider. Its secrets are stored as digests only. */
export interface IdpAppRecord {
  readonly workspace_id: string;
  readonly client_id: string;
  readonly app_key: string;
  readonly display_name: string;
  /** The URIs as a JSON array. */
  readonly redirect_uris: string;
  /** The URIs as a JSON array. */
  readonly post_logout_redirect_uris: string;
  readonly secret_hash: string;
  readonly secret_created_at: string;
  /** The secret of a rotation that is not confirmed yet; the other one still works. */
  readonly next_secret_hash: string | null;
  readonly next_secret_created_at: string | null;
  /** The state is `active` or `deauthorized`. */
  readonly state: string;
  /** The value is `required` or `optional`; null is a row of a build before the column. */
  readonly pkce: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export async function insertApp(tx: Transaction, row: IdpAppRecord): Promise<void> {
  await tx.run(insertInto("idp_apps", row));
  report(tx, row, "created");
}

/** The app of a workspace, by its client or by its key. */
export async function appOf(
  reader: Reader,
  workspaceId: string,
  by: { readonly clientId: string } | { readonly key: string },
): Promise<IdpAppRecord | undefined> {
  const which =
    "clientId" in by ? statement`client_id = ${by.clientId}` : statement`app_key = ${by.key}`;
  return reader.first<IdpAppRecord>(
    statement`select * from idp_apps where workspace_id = ${workspaceId} and ${which}`,
  );
}

/** The app that may sign users in: active, and of a workspace that is not deleted. */
export async function activeApp(
  reader: Reader,
  clientId: string,
): Promise<IdpAppRecord | undefined> {
  return reader.first<IdpAppRecord>(statement`select idp_apps.* from idp_apps
      join workspaces on workspaces.id = idp_apps.workspace_id
    where idp_apps.client_id = ${clientId} and idp_apps.state = 'active'
      and workspaces.deleted_at is null`);
}

export async function appsOf(
  reader: Reader,
  page: NewestPage & { readonly workspaceId: string },
): Promise<IdpAppRecord[]> {
  return reader.all<IdpAppRecord>(statement`select * from idp_apps
    where workspace_id = ${page.workspaceId} ${newestFirst(page, { id: "client_id" })}`);
}

export async function countApps(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from idp_apps where workspace_id = ${workspaceId}`);
}

type AppKey = Pick<IdpAppRecord, "workspace_id" | "client_id">;

export async function updateApp(
  tx: Transaction,
  key: AppKey,
  changes: Partial<Omit<IdpAppRecord, keyof AppKey>>,
): Promise<void> {
  await tx.run(statement`update idp_apps set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and client_id = ${key.client_id}`);
  report(tx, key, "updated");
}

export async function deleteApp(tx: Transaction, key: AppKey): Promise<void> {
  await tx.run(statement`delete from idp_apps
    where workspace_id = ${key.workspace_id} and client_id = ${key.client_id}`);
  report(tx, key, "deleted");
}

function report(tx: Transaction, key: AppKey, op: "created" | "updated" | "deleted"): void {
  tx.event("setting", key.client_id, key.workspace_id, { op, type: "sign-in-client" });
}
