import { domains } from "#contract/domains.ts";
import type { PlainRoute } from "#contract/plain/plain-route.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { routeTable } from "#contract/route-table.ts";

/** The parts of a request that have a schema. */
export type SentPart = "params" | "query" | "fields" | "body";
/** The forms of an answer that have a schema. */
export type AnswerPart = "reply" | "events" | "alternative";

/** A route of the contract as plain data. */
export interface ClientRoute extends PlainRoute {
  /** Its definition with the schemas, which take about 20 ms to load. */
  definition(): Promise<RouteDefinition>;
}

type Definitions = Readonly<Record<string, RouteDefinition>>;
const loaders: Readonly<Record<string, () => Promise<Definitions>>> = domains;

/** A route by its names in the contract, e.g. `resources` and `get`. */
export function clientRoute(domain: string, name: string): ClientRoute {
  const plain = routeTable[domain]?.[name];
  if (plain === undefined) throw new TypeError(`The contract has no route ${domain}.${name}`);
  const definition = async (): Promise<RouteDefinition> => {
    const found = (await loaders[domain]?.())?.[name];
    if (found === undefined) throw new TypeError(`${domain}.${name} has no schemas`);
    return found;
  };
  return { ...plain, definition };
}
