import type { Membership } from "#contract/identity.ts";
import { roles, type Role } from "#contract/roles.ts";
import type { Member } from "#contract/workspaces.ts";
import type { Writer } from "../../database/database.ts";
import { putMember, type MemberWithUser, type WorkspaceWithRole } from "./store.ts";

export interface RoleGrant {
  readonly workspaceId: string;
  readonly oid: string;
  readonly role: Role;
  /** Null for the creator of the workspace. */
  readonly invitedBy: string | null;
  readonly at: Date;
}

/** Adds a member, or changes the role of the present one. */
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

/** A member as the wire has it, without the names that are not known. */
export function memberOf(row: MemberWithUser): Member {
  return {
    memberId: row.id,
    oid: row.oid,
    ...(row.email === "" ? {} : { email: row.email }),
    displayName: row.display_name,
    ...(row.first_name === null ? {} : { firstName: row.first_name }),
    ...(row.last_name === null ? {} : { lastName: row.last_name }),
    role: storedRole(row.role),
    status: row.status,
    created_at: row.created_at,
  };
}

export function membershipOf(row: WorkspaceWithRole): Membership {
  return {
    id: row.id,
    slug: row.slug,
    displayName: row.display_name,
    parentId: row.parent_id,
    role: storedRole(row.role),
    homeRegion: row.home_region,
    usecase: row.usecase,
    domain: row.domain,
    industry: row.industry,
    starterTemplate: row.starter_template,
    created_at: row.created_at,
    ...(row.deleted_at === null || row.purge_at === null
      ? {}
      : { deletedAt: row.deleted_at, restorableUntil: row.purge_at }),
  };
}

/** A stored role; only a damaged row has another text, which counts as the lowest role. */
function storedRole(text: string): Role {
  return roles.find((role) => role === text) ?? "tenant-viewer";
}
