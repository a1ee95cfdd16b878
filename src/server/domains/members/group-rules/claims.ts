import { isGroupClaim } from "#contract/access/group-claims.ts";
import { isStorable } from "../../../kit/storable-text.ts";

/** The values of one claim of a token. */
export interface GroupClaim {
  /** `groups`, or `realm_access.roles` for a claim inside another one. */
  readonly claim: string;
  readonly values: readonly string[];
}

/** A bound above the number of values in a token of 8 KiB. */
const maximumValues = 4_000;
const maximumDepth = 3;
const longestValue = 500;

/** The claims of a token that may name groups: texts, and lists of texts. */
export function groupClaims(claims: Readonly<Record<string, unknown>>): GroupClaim[] {
  const found: GroupClaim[] = [];
  let left = maximumValues;
  const collect = (members: object, prefix: string, depth: number): void => {
    for (const [name, value] of Object.entries(members)) {
      const claim = prefix + name;
      if (!isGroupClaim(claim)) continue;
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        if (depth < maximumDepth) collect(value, `${claim}.`, depth + 1);
        continue;
      }
      const values = [...new Set([value].flat().filter(isGroupValue))].slice(0, left);
      left -= values.length;
      if (values.length > 0) found.push({ claim, values });
    }
  };
  collect(claims, "", 1);
  return found;
}

/**
 * Claims that the token leaves out because they are too long for it (OpenID Connect Core, 5.6.2):
 * whether the user has such a group is unknown.
 */
export function omittedClaims(claims: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = claims["_claim_names"];
  const omitted = typeof names === "object" && names !== null ? Object.keys(names) : [];
  return new Set(claims["hasgroups"] === true ? [...omitted, "groups"] : omitted);
}

function isGroupValue(value: unknown): value is string {
  return (
    typeof value === "string" && value !== "" && value.length <= longestValue && isStorable(value)
  );
}
