import { Part, usePart } from "../../../kit/state/part.ts";
import { Store, useStore } from "../../../kit/state/store.ts";
import type { BadgePlace } from "../../places.ts";

type FailureCounts = Readonly<Partial<Record<BadgePlace, number>>>;

/** More are shown as `9`, which a narrow header has room for. */
const maximumShown = 9;
/** Reported failures that are kept, of all places. */
const maximumReported = 500;

interface Standing {
  readonly place: BadgePlace;
  readonly ids: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
}

/** The failures by place that the user has not looked at. */
export class PlaceFailures {
  readonly counts = new Store<FailureCounts>({});
  /** The places of the failures that events reported, by what has failed. */
  readonly #reported = new Map<string, BadgePlace>();
  /** The failures that still exist, by the rule that found them. */
  readonly #standing = new Map<string, Standing>();
  #open: string | undefined;

  /** A failure that an event reported, of the job or other thing with this id. */
  readonly add = (place: BadgePlace, id: string): void => {
    if (place === this.#open) return;
    this.#reported.set(id, place);
    const [oldest] = this.#reported.keys();
    if (this.#reported.size > maximumReported && oldest !== undefined) {
      this.#reported.delete(oldest);
    }
    this.#count();
  };

  /** Ends a reported failure, such as that of a job that has succeeded when it was repeated. */
  readonly recover = (id: string): void => {
    if (this.#reported.delete(id)) this.#count();
  };

  /** Whether a rule has found failures that still exist. */
  readonly isStanding = (rule: string): boolean => (this.#standing.get(rule)?.ids.size ?? 0) > 0;

  /**
   * Sets the failures of a rule that exist now, and returns those that did not exist before. Each
   * counts until the user looks at its place, and again after it has ended and come back.
   */
  readonly stand = (
    rule: string,
    place: BadgePlace,
    ids: ReadonlySet<string>,
  ): readonly string[] => {
    const before = this.#standing.get(rule);
    const seen = new Set(
      [...ids].filter((id) => place === this.#open || before?.seen.has(id) === true),
    );
    this.#standing.set(rule, { place, ids, seen });
    this.#count();
    return [...ids].filter((id) => before?.ids.has(id) !== true);
  };

  /** The user looks at the place, until another one is seen. */
  readonly see = (place: string): void => {
    this.#open = place;
    for (const [id, at] of this.#reported) if (at === place) this.#reported.delete(id);
    for (const [rule, standing] of this.#standing) {
      if (standing.place === place) this.#standing.set(rule, { ...standing, seen: standing.ids });
    }
    this.#count();
  };

  /** Forgets all, because another workspace is open. */
  readonly clear = (): void => {
    this.#reported.clear();
    this.#standing.clear();
    this.#count();
  };

  #count(): void {
    const counts: Partial<Record<BadgePlace, number>> = {};
    for (const place of this.#reported.values()) counts[place] = (counts[place] ?? 0) + 1;
    for (const { place, ids, seen } of this.#standing.values()) {
      const count = (counts[place] ?? 0) + ids.size - seen.size;
      if (count > 0) counts[place] = count;
    }
    this.counts.set((now) => (isSame(now, counts) ? now : counts));
  }
}

function isSame(left: FailureCounts, right: FailureCounts): boolean {
  const entries = Object.entries(left);
  const others = new Map(Object.entries(right));
  return (
    entries.length === others.size && entries.every(([place, count]) => others.get(place) === count)
  );
}

export const placeFailuresPart = new Part<PlaceFailures>("failures of places");

/** Returns the badge of a place: the number of its new failures, "" without one. */
export function useFailureBadge(): (place: BadgePlace) => string {
  const counts = useStore(usePart(placeFailuresPart).counts);
  return (place) => {
    const count = counts[place] ?? 0;
    return count === 0 ? "" : `${Math.min(count, maximumShown)} ✗`;
  };
}
