import { roles } from "#contract/access/roles.ts";

/** Facts about the shown parts, by which keys are disabled. A noun adds its own. */
export interface KeyFacts {
  readonly role?: string | undefined;
  /** Why nothing may be changed; the user has chosen it. */
  readonly readOnly?: string | undefined;
  /** The platform's reasons for the capabilities of keys that it refuses to the user. */
  readonly refusals?: Readonly<Record<string, string>> | undefined;
  readonly rows?: number | undefined;
  /** Number of marked rows in sight, on which a key then acts. */
  readonly marked?: number | undefined;
}

export interface Reason<Facts extends KeyFacts = KeyFacts> {
  /** The capabilities that the platform decides about. */
  readonly capabilities: readonly string[];
  /** Why the key is disabled; `undefined` where it works. */
  of(facts: Facts): string | undefined;
}

export function because<Facts extends KeyFacts>(
  of: (facts: Facts) => string | undefined,
  capabilities: readonly string[] = [],
): Reason<Facts> {
  return { capabilities, of };
}

/** Why a role is too low for the needed one; unknown roles are left to the platform. */
export function roleReason(needed: string, role: string | undefined): string | undefined {
  const known: readonly string[] = roles;
  return role === undefined || !known.includes(role) || known.indexOf(role) >= known.indexOf(needed)
    ? undefined
    : `needs the role ${needed}; yours is ${role}`;
}

function needsRole(needed: string): Reason {
  return because(({ role, readOnly }) => readOnly ?? roleReason(needed, role));
}

/** The platform's reason; the role's reason while the platform has not answered. */
export function needs(capability: string, needed: string): Reason {
  return because(
    ({ role, refusals, readOnly }) =>
      readOnly ?? (refusals === undefined ? roleReason(needed, role) : refusals[capability]),
    [capability],
  );
}

export function firstOf<Facts extends KeyFacts>(
  ...reasons: readonly Reason<Facts>[]
): Reason<Facts> {
  return because(
    (facts) => reasons.map((reason) => reason.of(facts)).find((words) => words !== undefined),
    reasons.flatMap(({ capabilities }) => capabilities),
  );
}

/** A key that changes something, whatever the role is. */
export const changing = because(({ readOnly }) => readOnly);
export const row = because(({ rows }) => (rows === 0 ? "nothing is selected" : undefined));
export const staff = needsRole("tenant-staff");
export const builder = needsRole("tenant-builder");
export const admin = needsRole("tenant-admin");
