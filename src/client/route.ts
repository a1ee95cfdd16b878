import { domains } from "#contract/domains.ts";
import type { Domain } from "#contract/index.ts";
import type { PlainRoute } from "#contract/plain/plain-route.ts";
import type { Shape } from "#contract/plain/shape.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { domainTable, loadShapes } from "#contract/plain/route-table.ts";

/** The parts of a request that have a schema. */
export type SentPart = "params" | "query" | "fields" | "body";
/** The forms of an answer that have a schema. */
export type AnswerPart = "reply" | "events" | "alternative";

/** A route of the contract as plain data, with the shapes of its domain. */
export interface ClientRoute extends PlainRoute {
  readonly shapes: readonly Shape[];
  /** Loads the shapes of its domain; undefined if they are there. */
  loadShapes(): Promise<void> | undefined;
  /** Its definition with the schemas, which take about 20 ms to load. */
  definition(): Promise<RouteDefinition>;
}

type Definitions = Readonly<Record<string, RouteDefinition>>;

/** A route by its names in the contract, e.g. `resources` and `get`. */
export function clientRoute(domain: Domain, name: string): ClientRoute {
  const { routes, shapes } = domainTable(domain);
  const plain = routes[name];
  if (plain === undefined) throw new TypeError(`The contract has no route ${domain}.${name}`);
  const load: () => Promise<Definitions> = domains[domain];
  const definition = async (): Promise<RouteDefinition> => {
    const found = (await load())[name];
    if (found === undefined) throw new TypeError(`${domain}.${name} has no schemas`);
    return found;
  };
  return { ...plain, shapes, loadShapes: () => loadShapes(domain), definition };
}
