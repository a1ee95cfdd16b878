import type { Citation } from "#client/index.ts";
import { Part, usePart } from "../kit/state/part.ts";
import { Store, useSelected, type Followed } from "../kit/state/store.ts";
import type { SortMark } from "../kit/table/columns.ts";
import type { Place } from "./places.ts";

/** A document that a chat is limited to. */
export interface ChatSubject {
  readonly documentId: string;
  readonly name: string;
}

/** A filter that a route applies, e.g. that of a group of records. */
export interface RouteFilter {
  /** Unique, so that the filter is applied once. */
  readonly id: string;
  readonly text: string;
  /** The order of its list, until the user chooses another one. */
  readonly sort?: SortMark | undefined;
}

export type Route =
  | { readonly place: "signIn" }
  | { readonly place: "workspaces" }
  | { readonly place: "archives" }
  | {
      readonly place: "resources";
      readonly objectType?: string | undefined;
      /** Shows the deleted records that can be restored. */
      readonly deleted?: boolean | undefined;
      /** Shows the records in groups. */
      readonly bars?: boolean | undefined;
      /** Shows the places of the records. */
      readonly map?: boolean | undefined;
      readonly filter?: RouteFilter | undefined;
      /** Shows one record, as a reference leads to it. */
      readonly recordId?: string | undefined;
    }
  | {
      readonly place: "documents";
      readonly documentId?: string | undefined;
      /** The passage at which the document's text opens. */
      readonly citation?: Citation | undefined;
      /** The label or the field to review; "" for the first one that needs it. */
      readonly review?: string | undefined;
      /** Shows the documents in the trash. */
      readonly trash?: boolean | undefined;
      /** Shows the reviews of all documents. */
      readonly queue?: boolean | undefined;
    }
  | { readonly place: "jobs"; readonly jobId?: string | undefined }
  | { readonly place: "chat"; readonly subjects?: readonly ChatSubject[] | undefined }
  | {
      readonly place: "webhooks";
      /** The endpoint whose deliveries are shown. */
      readonly endpoint?: { readonly id: string; readonly name: string } | undefined;
      /** The source whose received calls are shown. */
      readonly source?: ShownSource | undefined;
    }
  | {
      readonly place: "geo";
      /** The dataset whose features are shown, as a list or on a map. */
      readonly dataset?: ShownDataset | undefined;
      readonly map?: boolean | undefined;
      /** The report whose stored results are shown, or the rows of one of them or of a new run. */
      readonly report?: ShownReport | undefined;
      readonly rows?: "run" | { readonly result: string; readonly at: string } | undefined;
    }
  | { readonly place: Exclude<Place, PlaceWithParts> };

type PlaceWithParts = "resources" | "documents" | "jobs" | "chat" | "webhooks" | "geo";

/** A dataset of features, with the properties that have their names. */
export interface ShownDataset {
  readonly id: string;
  readonly title: string;
  readonly names: readonly string[];
}

/** A report by place, with the title that its screens show. */
export interface ShownReport {
  readonly id: string;
  readonly title: string;
}

/** A source of calls from outside. */
interface ShownSource {
  readonly id: string;
  readonly name: string;
  readonly mapping?: string | undefined;
}

const maximumDepth = 50;

/** Routes in the order of opening; the last one is shown. */
type Trail = readonly [Route, ...Route[]];

function current(trail: Trail): Route {
  return trail.at(-1) ?? trail[0];
}

/** The routes that were opened. */
export class Router {
  readonly #trail: Store<Trail>;
  readonly trail: Followed<Trail>;

  constructor(start: Route) {
    this.#trail = new Store<Trail>([start]);
    this.trail = this.#trail;
  }

  readonly go = (route: Route): void =>
    this.#trail.set((now) => {
      if (JSON.stringify(current(now)) === JSON.stringify(route)) return now;
      const [first, ...rest] = now;
      return [first, ...rest.slice(2 - maximumDepth), route];
    });

  /** Opens a route in place of the open one, which has no way back to it. */
  readonly replace = (route: Route): void =>
    this.#trail.set(([first, ...rest]) =>
      rest.length === 0 ? [route] : [first, ...rest.slice(0, -1), route],
    );

  /** Leaves the open route; the first one stays. */
  readonly back = (): void => this.#trail.set(([first, ...rest]) => [first, ...rest.slice(0, -1)]);
  /** Opens a route without a way back, as after signing in. */
  readonly restart = (route: Route): void => this.#trail.set([route]);
  readonly route = (): Route => current(this.#trail.get());
}

export const routerPart = new Part<Router>("router");

/** Opens other routes; the component does not render again when one is opened. */
export function useRouter(): Router {
  return usePart(routerPart);
}

/** The route that is open. */
export function useRoute(): Route {
  return useSelected(useRouter().trail, current);
}

export function useCanGoBack(): boolean {
  return useSelected(useRouter().trail, ({ length }) => length > 1);
}
