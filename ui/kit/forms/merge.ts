import type { JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/same-json.ts";
import { ownMember } from "#lib/own-member.ts";

/**
 * One property in three states: as it was when the change began, as it would be saved, and as
 * somebody else has saved it since. `undefined` stands for a property that is not there.
 */
export interface Threefold {
  readonly name: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who changed it; `both` needs a decision. */
  readonly changedBy: "me" | "them" | "both";
}

export type Side = "mine" | "theirs";

/** What was decided so far, by property; what is not in it is what only one of both changed. */
export type Decisions = ReadonlyMap<string, Side>;

/** The properties that are not the same in all three, in the order in which they stand. */
export function compareThree(base: JsonObject, mine: JsonObject, theirs: JsonObject): Threefold[] {
  const names = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].flatMap((name): Threefold[] => {
    const three = {
      name,
      base: ownMember(base, name),
      mine: ownMember(mine, name),
      theirs: ownMember(theirs, name),
    };
    const isMine = !sameJson(three.base, three.mine);
    const isTheirs = !sameJson(three.base, three.theirs);
    if (!isMine && !isTheirs) return [];
    // Who wrote the same asks for nothing; it is shown as theirs, since it is saved already.
    const isAgreed = sameJson(three.mine, three.theirs);
    return [{ ...three, changedBy: !isMine || isAgreed ? "them" : isTheirs ? "both" : "me" }];
  });
}

/** The side that a property takes: as decided, else that of the only one who changed it. */
export function sideOf(three: Threefold, decisions: Decisions): Side | undefined {
  const decided = decisions.get(three.name);
  if (decided !== undefined) return decided;
  if (three.changedBy === "both") return undefined;
  return three.changedBy === "me" ? "mine" : "theirs";
}

/** Properties that both changed and nobody has decided on. */
export function undecided(threes: readonly Threefold[], decisions: Decisions): Threefold[] {
  return threes.filter((three) => sideOf(three, decisions) === undefined);
}

/** Their record with mine put in where that was decided; what is undecided stays mine. */
export function merged(
  theirs: JsonObject,
  threes: readonly Threefold[],
  decisions: Decisions,
): JsonObject {
  const taken = new Map(
    threes
      .filter((three) => sideOf(three, decisions) !== "theirs")
      .map((three) => [three.name, three.mine]),
  );
  const kept = Object.entries(theirs).flatMap(([name, value]): [string, unknown][] => {
    if (!taken.has(name)) return [[name, value]];
    const mine = taken.get(name);
    taken.delete(name);
    return mine === undefined ? [] : [[name, mine]];
  });
  const added = [...taken].filter(([, value]) => value !== undefined);
  return Object.fromEntries([...kept, ...added]);
}
