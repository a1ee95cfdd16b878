import { Part, usePart } from "../../../kit/state/part.ts";
import { Store, useStore } from "../../../kit/state/store.ts";
import type { Place } from "../../places.ts";

type FailureCounts = Readonly<Partial<Record<Place, number>>>;

/** More are shown as `9`, which a narrow header has room for. */
const maximumShown = 9;

/** The failures by place that came since the user looked at it. */
export class PlaceFailures {
  readonly counts = new Store<FailureCounts>({});

  readonly add = (place: Place): void =>
    this.counts.set((now) => ({ ...now, [place]: (now[place] ?? 0) + 1 }));

  /** The user looks at the place. */
  readonly see = (place: string): void =>
    this.counts.set((now) => {
      const left = Object.entries(now).filter(([name]) => name !== place);
      return left.length === Object.keys(now).length ? now : Object.fromEntries(left);
    });
}

export const placeFailuresPart = new Part<PlaceFailures>("failures of places");

/** Returns the badge of a place: the number of its new failures, "" without one. */
export function useFailureBadge(): (place: Place) => string {
  const counts = useStore(usePart(placeFailuresPart).counts);
  return (place) => {
    const count = counts[place] ?? 0;
    return count === 0 ? "" : `${Math.min(count, maximumShown)} ✗`;
  };
}
