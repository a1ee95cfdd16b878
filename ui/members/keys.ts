import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface MemberFacts extends KeyFacts {
  /** The state of the selected API key. */
  readonly keyStatus?: string | undefined;
}

const adminMay = (capability: string) => needs(capability, "tenant-admin");
const active = because(({ keyStatus }: MemberFacts) =>
  keyStatus === undefined || keyStatus === "active"
    ? undefined
    : `this key is ${keyStatus} already`,
);

export const memberKeys = keyGroup({
  invite: key("i", "place", "invite", { footer: 30, disabledReason: adminMay("members.invite") }),
  changeRole: key("o", "place", "change the role", {
    footer: 31,
    disabledReason: firstOf(row, adminMay("members.setRole")),
  }),
  toggleMember: key("D", "place", "disable or enable", {
    footer: 32,
    disabledReason: firstOf(row, adminMay("members.disable")),
  }),
  removeMember: key("ctrl+d", "place", "remove", {
    footer: 70,
    disabledReason: firstOf(row, adminMay("members.remove")),
  }),
  resetPassword: key("P", "place", "reset the password", {
    disabledReason: firstOf(row, needs("members.resetPassword", "system-admin")),
  }),
  createKey: key("c", "place", "create a key", {
    footer: 30,
    disabledReason: adminMay("keys.create"),
  }),
  changeKeyRole: key("o", "place", "change the role", {
    footer: 31,
    disabledReason: firstOf(row, active, adminMay("keys.setRole")),
  }),
  revokeKey: key("ctrl+d", "place", "revoke", {
    footer: 70,
    disabledReason: firstOf(row, active, adminMay("keys.revoke")),
  }),
  goMembers: key("5", "global", "members"),
});

export type MemberKeys = typeof memberKeys & ShellKeys;
