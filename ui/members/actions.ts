import type { Invitation, Member, RoleDefinition } from "#client/index.ts";
import type { KeyChoice } from "#contract/access/key-choices.ts";
import type { ServiceKey } from "#contract/access/keys.ts";
import type { AccountReceipt } from "#contract/access/members.ts";
import type { Action } from "../kit/places/action.ts";

export function memberName({ email, displayName, memberId }: Member): string {
  return email ?? displayName ?? memberId;
}

export function apiKeyName({ name, keyId }: ServiceKey): string {
  return name ?? keyId;
}

const isDisabled = ({ status }: Member) => status === "disabled";
const actOf = (member: Member) => (isDisabled(member) ? "enable" : "disable");

export const memberRole: Action<
  { readonly member: Member; readonly role: RoleDefinition },
  Member
> = {
  question: {
    title: ({ member, role }) => `Change the role of ${memberName(member)} to ${role.key}`,
    effects: ({ member, role }) => [
      `1 member: ${member.roleName ?? member.role ?? "no role"} → ${role.key}, at once`,
      "a lower role also lowers the API keys that the member made",
    ],
    command: ({ member, role }) => [
      ["user", "role", "set"],
      { "member-id": member.memberId, role: role.key },
    ],
  },
  run: (client, { member, role }, tenantId) => {
    const body = { roleDefinitionId: role.id };
    return client.members.setRole({ tenantId, params: { memberId: member.memberId }, body });
  },
  done: ({ member, role }, { keys = [] }) =>
    [
      `${memberName(member)} is now ${role.key}`,
      ...keys.map(({ keyId, name = keyId, status }) => `the key ${name} is ${status}`),
    ].join("; "),
};

export interface RemovedMember {
  readonly member: Member;
  /** The working API keys that the member made. */
  readonly made: readonly ServiceKey[];
  readonly keys: KeyChoice;
}

export const memberRemoval: Action<RemovedMember> = {
  question: {
    title: ({ member }) => `Remove ${memberName(member)}`,
    effects: ({ made, keys }) => [
      "the membership and its access, at once; another invitation brings it back",
      ...made.map((key) => `${keys === "keep" ? "keeps" : "revokes"} the key ${apiKeyName(key)}`),
    ],
    command: ({ member, keys }) => [
      ["user", "remove", member.memberId],
      keys === "keep" ? { keys, force: true } : { force: true },
    ],
  },
  run: (client, { member, keys }, tenantId) => {
    const query = keys === "keep" ? { keys } : {};
    return client.members.remove({ tenantId, params: { memberId: member.memberId }, query });
  },
  done: ({ member }) => `removed ${memberName(member)}`,
};

export const memberToggle: Action<Member> = {
  question: {
    title: (member) => `${isDisabled(member) ? "Enable" : "Disable"} ${memberName(member)}`,
    effects: (member) => [
      isDisabled(member) ? "the member has access again" : "the member has no access, at once",
    ],
    command: (member) => [
      ["user", actOf(member), member.memberId],
      isDisabled(member) ? {} : { force: true },
    ],
  },
  run: (client, member, tenantId) =>
    client.members[actOf(member)]({ tenantId, params: { memberId: member.memberId } }),
  // The list has not changed yet: the member is the one from before.
  done: (member) => `${actOf(member)}d ${memberName(member)}`,
};

/** The account's password, in every workspace: only the installation's administrator may. */
export const passwordReset: Action<
  Member & { readonly oid: string },
  Pick<AccountReceipt, "oneTimePassword" | "expiresAt">
> = {
  question: {
    title: (member) => `Replace the password of ${memberName(member)}`,
    effects: () => [
      "the password and all sessions of the account, in every workspace",
      "a one-time password is shown once; second factors stay",
    ],
    command: (member) => [["user", "reset-password", member.memberId], { force: true }],
  },
  run: (client, { oid }) => client.members.resetPassword({ params: { oid } }),
  done: (member) => `replaced the password of ${memberName(member)}`,
};

export const invitationRevocation: Action<Invitation> = {
  question: {
    title: ({ email, invitationId }) => `Revoke the invitation of ${email ?? invitationId}`,
    effects: () => ["its link; another invitation makes a new one"],
    command: ({ invitationId }) => [["user", "uninvite", invitationId], { force: true }],
  },
  run: (client, { invitationId }, tenantId) =>
    client.members.revokeInvitation({ tenantId, params: { invitationId } }),
  done: ({ email, invitationId }) => `revoked the invitation of ${email ?? invitationId}`,
};

export const apiKeyRole: Action<{ readonly key: ServiceKey; readonly role: RoleDefinition }> = {
  question: {
    title: ({ key, role }) => `Change the role of the key ${apiKeyName(key)} to ${role.key}`,
    effects: ({ key, role }) => [
      `1 API key: ${key.roleName ?? key.role ?? "no role"} → ${role.key}, at once`,
    ],
    command: ({ key, role }) => [["key", "role", key.keyId], { role: role.key }],
  },
  run: (client, { key, role }, tenantId) => {
    const body = { roleDefinitionId: role.id };
    return client.keys.setRole({ tenantId, params: { keyId: key.keyId }, body });
  },
  done: ({ key, role }) => `${apiKeyName(key)} is now ${role.key}`,
};

export const apiKeyRevocation: Action<ServiceKey, { readonly status?: string | undefined }> = {
  question: {
    title: (key) => `Revoke the key ${apiKeyName(key)}`,
    effects: ({ homeTenantId }, tenantId) => [
      homeTenantId === undefined || homeTenantId === tenantId
        ? "its access to every workspace, at once and for good"
        : "its access to this workspace, at once; another workspace owns it",
    ],
    command: ({ keyId }) => [["key", "revoke", keyId], { force: true }],
  },
  run: (client, { keyId }, tenantId) => client.keys.revoke({ tenantId, params: { keyId } }),
  done: (key, { status }) =>
    status === "removed" ? `${apiKeyName(key)} has no access here` : `revoked ${apiKeyName(key)}`,
};
