import type { Domain } from "#contract/index.ts";
import type { PlainRoute } from "#contract/plain/plain-route.ts";
import type { Form } from "#contract/plain/shape.ts";
import { formOf, loadShapes, plainRoute, type RoutePart } from "#contract/plain/route-table.ts";

export type { AnswerPart, SentPart } from "#contract/plain/route-table.ts";

/** A route of the contract as plain data, with the shapes of its domain. */
export interface ClientRoute extends PlainRoute {
  /** The form of a part; undefined if the route has no such part, or the platform checks it. */
  formOf(part: RoutePart): Form | undefined;
  /** Loads the shapes of its domain; undefined if they are there. */
  loadShapes(): Promise<void> | undefined;
}

/** A route by its names in the contract, e.g. `resources` and `get`. */
export function clientRoute(domain: Domain, name: string): ClientRoute {
  return {
    ...plainRoute(`${domain}.${name}`),
    formOf: (part) => formOf(domain, name, part),
    loadShapes: () => loadShapes(domain),
  };
}
