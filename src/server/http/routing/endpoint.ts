import { routes, type Domain } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Handlers, UploadContext } from "../handler.ts";
import { textChecks, type TextCheck } from "./text-check.ts";

/** A handler's input without its route's types. */
export interface HandlerCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly request: Request | undefined;
}
export type ErasedHandler = (call: HandlerCall, context: UploadContext) => unknown;

/** A route of the contract with its handler, and values computed once for all requests. */
export interface Endpoint {
  /** The domain and the name of the route, e.g. `resources.list`. */
  readonly id: string;
  readonly definition: RouteDefinition;
  readonly handler: ErasedHandler;
  /** Path segments; a parameter is `{name}`. */
  readonly segments: readonly string[];
  readonly parameterNames: readonly string[];
  /** Index of the parameter with the workspace's id; -1 without one. */
  readonly workspaceParameter: number;
  /** Index of the parameter with the Object Type whose records the route changes; -1 without. */
  readonly changedTypeParameter: number;
  /** True if the reply is a list, which has the cursor of the feed of changes. */
  readonly isList: boolean;
  /** A fast check for each parameter instead of the schema; undefined without one. */
  readonly paramChecks: readonly TextCheck[] | undefined;
  readonly queryNames: ReadonlySet<string>;
  readonly seenQueries: RecentMap<string, object>;
}

export type SomeHandlers = { readonly [Name in keyof Handlers]?: Partial<Handlers[Name]> };

/** Every route with its handler; `missing` makes one for a route without a handler. */
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
      // `DomainHandlers` has checked that this handler takes this route's input.
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
    changedTypeParameter: changesRecords(definition) ? parameterNames.indexOf("objectType") : -1,
    isList: isList(definition),
    paramChecks: textChecks(definition.params, parameterNames),
    queryNames: new Set(propertyNames(definition.query)),
    seenQueries: new RecentMap(seenQueriesAtMost),
  };
}

function changesRecords({ method, path, asks }: RouteDefinition): boolean {
  return method !== "GET" && asks !== true && path.startsWith("/v4/data/resources/");
}

function isList({ reply }: RouteDefinition): boolean {
  if (reply.type !== "json" || !("shape" in reply.schema)) return false;
  return Object.hasOwn(reply.schema.shape as object, "feedCursor");
}

export function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

function propertyNames(schema: RouteDefinition["query"]): string[] {
  if (schema === undefined || !("shape" in schema)) return [];
  return Object.keys(schema.shape as object);
}
