import type { Invitation, Invited } from "#contract/access/members.ts";
import type { Role } from "#contract/access/roles.ts";
import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { given } from "#lib/given.ts";
import type { InvitationRow } from "./invitation-store.ts";
import { roleFacts } from "./membership.ts";
import { storedRole } from "../../work/held-role.ts";

/** An invitation as its page shows it to the holder of the secret. */
export interface OpenInvitation {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  /** The base role, or the key of a workspace-defined one. */
  readonly roleName: string;
  readonly inviterName: string;
  readonly message: string | undefined;
  readonly redirectUri: string | undefined;
}

export function invitationLink(baseUrl: string, secret: string): string {
  return `${baseUrl}${authPath}${signInPaths.invitation}?secret=${secret}`;
}

/** The note of a repeated answer, which has no link. */
export function onceWords({ delivery }: InvitationRow): string {
  return delivery === "link"
    ? "The link was in the first answer only: invite again for another one"
    : "The mail was handed over by the first request: see the list of invitations";
}

/** The facts of an invitation for the audit log. */
export function noted({ id, email }: Pick<InvitationRow, "id" | "email">): object {
  return { invitationId: id, email };
}

export function invitedOf(row: InvitationRow): Invited {
  const { invitationId, email, role, created_at } = invitationOf(row);
  const facts = roleFacts(row.role_definition_id, row.role_key);
  return {
    member: {
      memberId: invitationId,
      ...given({ email }),
      ...namesOf(row),
      role,
      ...facts,
      status: "invited",
      created_at,
    },
    invitation: invitationOf(row),
  };
}

function namesOf({ first_name: firstName, last_name: lastName }: InvitationRow) {
  return given({ firstName: firstName ?? undefined, lastName: lastName ?? undefined });
}

const deliveries = ["link", "mail", "mail-pending", "mail-failed"] as const;

export function invitationOf(row: InvitationRow): Invitation & { readonly role: Role } {
  return {
    invitationId: row.id,
    email: row.email,
    role: storedRole(row.role),
    ...roleFacts(row.role_definition_id, row.role_key),
    ...namesOf(row),
    status: "pending",
    delivery: deliveries.find((known) => known === row.delivery) ?? "link",
    invitedBy: row.invited_by,
    created_at: row.created_at,
    expiresAt: row.expires_at,
  };
}
