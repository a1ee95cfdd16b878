import type { Citation } from "#client/index.ts";
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
}

export type Route =
  | { readonly place: "signIn" }
  | { readonly place: "workspaces" }
  | {
      readonly place: "resources";
      readonly objectType?: string | undefined;
      /** Shows the records in groups. */
      readonly bars?: boolean | undefined;
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
      /** Shows the reviews of all documents. */
      readonly queue?: boolean | undefined;
    }
  | { readonly place: "jobs"; readonly jobId?: string | undefined }
  | { readonly place: "chat"; readonly subjects?: readonly ChatSubject[] | undefined }
  | { readonly place: Exclude<Place, "resources" | "documents" | "jobs" | "chat"> };

const maximumDepth = 50;

/** Routes in the order of opening; the last one is shown. */
export type Trail = readonly [Route, ...Route[]];

function sameRoute(a: Route, b: Route): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function current(trail: Trail): Route {
  return trail.at(-1) ?? trail[0];
}

export function opened(trail: Trail, route: Route): Trail {
  if (sameRoute(current(trail), route)) return trail;
  const [first, ...rest] = trail;
  return [first, ...rest.slice(2 - maximumDepth), route];
}

/** The trail without its last route; the first one stays. */
export function left(trail: Trail): Trail {
  const [first, ...rest] = trail;
  return [first, ...rest.slice(0, -1)];
}
