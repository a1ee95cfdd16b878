import type { Role } from "#contract/roles.ts";
import type { Member } from "#contract/workspaces.ts";
import type { Writer } from "../../database/database.ts";
import { putMember, type MemberWithUser } from "./store.ts";
import { roleNamed } from "../identity/service.ts";

/** Who gets which role in which workspace, from whom and when. */
export interface RoleGrant {
  readonly workspaceId: string;
  readonly oid: string;
  readonly role: Role;
  /** Null for who made the workspace. */
  readonly invitedBy: string | null;
  readonly at: Date;
}

/** Makes somebody a member; who is one already keeps their membership, with this role. */
export async function grantRole(writer: Writer, grant: RoleGrant): Promise<void> {
  const at = grant.at.toISOString();
  await putMember(writer, {
    workspace_id: grant.workspaceId,
    oid: grant.oid,
    id: Bun.randomUUIDv7(),
    role: grant.role,
    invited_by: grant.invitedBy,
    created_at: at,
    updated_at: at,
  });
}

/** A member as the wire has it: names that are not known are left out. */
export function memberOf(row: MemberWithUser): Member {
  return {
    memberId: row.id,
    oid: row.oid,
    ...(row.email === "" ? {} : { email: row.email }),
    displayName: row.display_name,
    ...(row.first_name === null ? {} : { firstName: row.first_name }),
    ...(row.last_name === null ? {} : { lastName: row.last_name }),
    role: roleNamed(row.role),
    status: row.status,
    created_at: row.created_at,
  };
}
