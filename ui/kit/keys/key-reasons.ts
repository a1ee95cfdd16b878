import { roles } from "#contract/roles.ts";

/** Why a key is disabled, from what the shown parts know. */

export interface KeyFacts {
  readonly role?: string | undefined;
  /** The platform's reasons for the {@link keyCapabilities} that it refuses to the user. */
  readonly refusals?: Readonly<Record<string, string>> | undefined;
  /** Lowest role that an action of the open type needs. */
  readonly actionRole?: string | undefined;
  readonly rows?: number | undefined;
  readonly jobStatus?: string | undefined;
  /** The state of the selected API key. */
  readonly keyStatus?: string | undefined;
  /** The status of the selected workflow. */
  readonly workflowStatus?: string | undefined;
  /** The selected document has extracted text. */
  readonly hasText?: boolean | undefined;
  /** Number of marked records in sight. */
  readonly marked?: number | undefined;
  /** The platform ends with the dashboard. */
  readonly isTemporary?: boolean | undefined;
  /** VISUAL or EDITOR is set. */
  readonly hasEditor?: boolean | undefined;
}

export type Reason = (facts: KeyFacts) => string | undefined;

/** Why a role is too low for the needed one; unknown roles are left to the platform. */
export function roleReason(needed: string, role: string | undefined): string | undefined {
  const known: readonly string[] = roles;
  return role === undefined || !known.includes(role) || known.indexOf(role) >= known.indexOf(needed)
    ? undefined
    : `needs the role ${needed}; yours is ${role}`;
}

function needsRole(needed: string): Reason {
  return ({ role }) => roleReason(needed, role);
}

/** The capabilities of keys, which the platform decides where it has an answer. */
export const keyCapabilities = [
  "documents.upload",
  "resources.create",
  "resources.update",
  "chat.send",
  "members.invite",
  "members.setRole",
  "members.remove",
  "members.disable",
  "keys.create",
  "keys.setRole",
  "keys.revoke",
  "apps.create",
  "apps.provision",
  "reviews.decide",
] as const;

/** The platform's reason; the role's reason while the platform has not answered. */
export function needs(capability: (typeof keyCapabilities)[number], needed: string): Reason {
  return ({ role, refusals }) =>
    refusals === undefined ? roleReason(needed, role) : refusals[capability];
}

export function firstOf(...reasons: readonly Reason[]): Reason {
  return (facts) => reasons.map((reason) => reason(facts)).find((words) => words !== undefined);
}

function jobIn(statuses: readonly string[], verb: string): Reason {
  return ({ jobStatus }) =>
    jobStatus === undefined || statuses.includes(jobStatus)
      ? undefined
      : `a job that is ${jobStatus} can't be ${verb}`;
}

export const row: Reason = ({ rows }) => (rows === 0 ? "nothing is selected" : undefined);
export const staff = needsRole("tenant-staff");
export const reviews = needs("reviews.decide", "tenant-staff");
export const admin = needsRole("tenant-admin");
export const invites = needs("members.invite", "tenant-admin");
export const text: Reason = ({ hasText }) =>
  hasText === false ? "no text has been extracted from it" : undefined;
export const active: Reason = ({ keyStatus }) =>
  keyStatus === undefined || keyStatus === "active"
    ? undefined
    : `this key is ${keyStatus} already`;
export const wanting: Reason = ({ workflowStatus }) =>
  workflowStatus === "available" ? "this workflow is available already" : undefined;
export const editor: Reason = ({ hasEditor }) =>
  hasEditor === false ? "set VISUAL or EDITOR to your editor first" : undefined;
export const action: Reason = ({ role, actionRole }) =>
  actionRole === undefined ? undefined : roleReason(actionRole, role);
export const stopped = jobIn(
  ["failed", "cancelled", "interrupted", "completed_with_errors"],
  "retried",
);
export const moving = jobIn(["queued", "pending", "running", "interrupted"], "cancelled");

/** For actions on one record, while others are marked. */
export const single: Reason = ({ marked = 0 }) =>
  marked === 0 ? undefined : `works on one record, and ${marked} are marked: esc unmarks them`;
export const lasting: Reason = ({ isTemporary }) =>
  isTemporary === true ? "this platform ends with the dashboard" : undefined;
