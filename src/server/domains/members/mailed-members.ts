import { emailKey } from "#lib/email-address.ts";
import type { Reader } from "../../database/database.ts";
import { nothing, statement } from "../../database/statement.ts";
import { firstUserEmail } from "../identity/service.ts";

/** A member whom mails can reach. */
export interface MailedMember {
  readonly workspace_id: string;
  readonly oid: string;
  readonly email: string;
  readonly first_name: string;
}

/** A membership with the names of its workspace. */
export interface MailedMembership extends MailedMember {
  readonly workspace_name: string;
  readonly workspace_slug: string;
}

/** The default address of the first user is no one's. */
const isActive = statement`members.status = 'active'
  and members.email_key not in ('', ${emailKey(firstUserEmail)})
  and exists (select 1 from users where users.oid = members.oid and users.disabled_at is null)`;

/** Active members of a workspace in the order of their ids, after one of them. */
export async function mailedMembers(
  reader: Reader,
  workspaceId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<MailedMember[]> {
  return reader.all<MailedMember>(statement`select workspace_id, oid, email, first_name
    from members where workspace_id = ${workspaceId} and ${isActive}
      ${after === undefined ? nothing : statement`and oid > ${after}`}
    order by oid limit ${limit}`);
}

/** The active memberships of a user in all workspaces. */
export async function mailedMemberships(reader: Reader, oid: string): Promise<MailedMembership[]> {
  return reader.all<MailedMembership>(statement`select members.workspace_id, members.oid,
      members.email, members.first_name, workspaces.display_name as workspace_name,
      workspaces.slug as workspace_slug
    from members join workspaces on workspaces.id = members.workspace_id
    where members.oid = ${oid} and workspaces.deleted_at is null and ${isActive}
    order by workspaces.display_name, members.workspace_id`);
}
