import { routes, type Domain } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Handlers, UploadContext } from "../handler.ts";
import { textChecks, type TextCheck } from "./text-check.ts";

/** What a handler is called with, once the types that tie it to its route are gone. */
export interface HandlerCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly request: Request | undefined;
}
export type ErasedHandler = (call: HandlerCall, context: UploadContext) => unknown;

/** A route of the contract with its handler, and what is worked out once for all its requests. */
export interface Endpoint {
  /** `domain.name`, e.g. `resources.list`. */
  readonly id: string;
  readonly definition: RouteDefinition;
  readonly handler: ErasedHandler;
  /** Path segments; a parameter is `{name}`. */
  readonly segments: readonly string[];
  /** Parameter names in the order of the path. */
  readonly parameterNames: readonly string[];
  /** Which of the parameters names the request's workspace; -1 where none does. */
  readonly workspaceParameter: number;
  /** A check for each parameter that makes its schema superfluous; undefined where none does. */
  readonly paramChecks: readonly TextCheck[] | undefined;
  /** Names that the query may have; undefined where the route has no query schema. */
  readonly queryNames: ReadonlySet<string>;
  /** What the query's schema made of texts that were sent before. */
  readonly seenQueries: RecentMap<string, object>;
}

/** Handlers of some of the routes. */
export type SomeHandlers = { readonly [Name in keyof Handlers]?: Partial<Handlers[Name]> };

/** Pairs every route with its handler; `missing` makes one for a route that has none. */
export function endpointsOf(
  handlers: SomeHandlers,
  missing: (id: string) => ErasedHandler = noHandler,
): Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (const domain of Object.keys(routes) as Domain[]) {
    const definitions: Readonly<Record<string, RouteDefinition>> = routes[domain];
    const domainHandlers: Readonly<Record<string, (call: never, context: never) => unknown>> =
      handlers[domain] ?? {};
    for (const [name, definition] of Object.entries(definitions)) {
      const id = `${domain}.${name}`;
      // `DomainHandlers` has tied this handler to this route's schemas, whose output it is given.
      const handler = domainHandlers[name] as ErasedHandler | undefined;
      endpoints.push(endpointOf(id, definition, handler ?? missing(id)));
    }
  }
  return endpoints;
}

function noHandler(id: string): never {
  throw new TypeError(`no handler for the route ${id}`);
}

const seenQueriesAtMost = 512;

/** A route with its handler, and what can be worked out before the first request. */
export function endpointOf(
  id: string,
  definition: RouteDefinition,
  handler: ErasedHandler,
): Endpoint {
  const segments = definition.path.split("/").slice(1);
  const parameterNames = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
  const workspaceName = parameterNames.find((name) => name === "tenantId" || name === "parentId");
  return {
    id,
    definition,
    handler,
    segments,
    parameterNames,
    workspaceParameter:
      definition.workspace === "path" && workspaceName !== undefined
        ? parameterNames.indexOf(workspaceName)
        : -1,
    paramChecks: textChecks(definition.params, parameterNames),
    queryNames: new Set(propertyNames(definition.query)),
    seenQueries: new RecentMap(seenQueriesAtMost),
  };
}

/** Whether a segment of a path is a `{parameter}`. */
export function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

/** The property names of an object schema. */
function propertyNames(schema: RouteDefinition["query"]): string[] {
  if (schema === undefined || !("shape" in schema)) return [];
  return Object.keys(schema.shape as object);
}
