import type { JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";

/** One property as it was first, as it would be saved, and as another user saved it meanwhile. */
export interface ThreeVersions {
  readonly name: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** The value `both` needs a decision. */
  readonly changedBy: "me" | "them" | "both";
}

export type Side = "mine" | "theirs";

export type Decisions = ReadonlyMap<string, Side>;

/** The properties that differ between the three versions of a record. */
export function compareThree(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
): ThreeVersions[] {
  const names = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].flatMap((name): ThreeVersions[] => {
    const versions = {
      name,
      base: ownMember(base, name),
      mine: ownMember(mine, name),
      theirs: ownMember(theirs, name),
    };
    const isMine = !sameJson(versions.base, versions.mine);
    const isTheirs = !sameJson(versions.base, versions.theirs);
    if (!isMine && !isTheirs) return [];
    // The same change on both sides needs no decision: theirs is already saved.
    const isSame = sameJson(versions.mine, versions.theirs);
    return [{ ...versions, changedBy: !isMine || isSame ? "them" : isTheirs ? "both" : "me" }];
  });
}

/** The decided side, else the side that changed it; `undefined` without a decision. */
export function sideOf(difference: ThreeVersions, decisions: Decisions): Side | undefined {
  const { name, changedBy } = difference;
  const changed = { me: "mine", them: "theirs", both: undefined } as const;
  return decisions.get(name) ?? changed[changedBy];
}

/** The properties that both changed and that have no decision. */
export function undecided(
  differences: readonly ThreeVersions[],
  decisions: Decisions,
): ThreeVersions[] {
  return differences.filter((difference) => sideOf(difference, decisions) === undefined);
}

/** Their record with my values where they were chosen; a property without a decision stays mine. */
export function merged(
  theirs: JsonObject,
  differences: readonly ThreeVersions[],
  decisions: Decisions,
): JsonObject {
  const data = new Map(Object.entries(theirs));
  for (const difference of differences) {
    if (sideOf(difference, decisions) === "theirs") continue;
    const { name, mine } = difference;
    if (mine === undefined) data.delete(name);
    else data.set(name, mine);
  }
  return Object.fromEntries(data);
}
