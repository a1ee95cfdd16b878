import type * as z from "zod";
import { given } from "#lib/given.ts";
import { sentForm } from "../deployments.ts";
import { routes, type Domain } from "../index.ts";
import type { Reply, RequestBody, RouteDefinition } from "../route.ts";
import type { DomainRoutes, PlainBody, PlainReply, PlainRoute } from "./plain-route.ts";
import { pageDomains } from "./page-domains.ts";
import type { Shape } from "./shape.ts";
import { Shapes } from "./shapes.ts";

/**
 * Returns the JSON text of each domain's routes, and that of the shapes of {@link pageDomains}.
 * `route-table.ts` imports it as a macro: a build has these texts in place of the schemas, which
 * load longer than a command's request takes.
 */
export function contractTable(): Record<string, string> {
  const { texts, shapes, further } = placedRoutes();
  const names = Object.keys(routes);
  const inOrder = names.map((domain) => [domain, texts.get(domain) ?? ""] as const);
  const ofPages = JSON.stringify(shapes.slice(0, further));
  return Object.fromEntries([...inOrder, ["shapes", ofPages]]);
}

/** Returns the JSON text of the shapes of all other domains; their places follow those of pages. */
export function furtherShapesText(): string {
  const { shapes, further } = placedRoutes();
  return JSON.stringify(shapes.slice(further));
}

interface PlacedRoutes {
  readonly texts: ReadonlyMap<string, string>;
  readonly shapes: readonly Shape[];
  /** The place of the first shape that no page domain has. */
  readonly further: number;
}

function placedRoutes(): PlacedRoutes {
  const shapes = new Shapes();
  const texts = new Map<string, string>();
  const place = (domain: Domain): void => {
    const plain = Object.entries<RouteDefinition>(routes[domain]).map(
      ([name, definition]) => [name, plainRoute(definition, shapes)] as const,
    );
    const table: DomainRoutes = Object.fromEntries(plain);
    texts.set(domain, JSON.stringify(table));
  };
  pageDomains.forEach(place);
  const further = shapes.list.length;
  for (const domain of Object.keys(routes) as Domain[]) if (!texts.has(domain)) place(domain);
  return { texts, shapes: shapes.list, further };
}

function plainRoute(definition: RouteDefinition, shapes: Shapes): PlainRoute {
  const { params, query, body, reply, events, alternative, ...rest } = definition;
  const { summary: _summary, source: _source, ...facts } = rest;
  const sent = (schema: z.ZodType): number => shapes.placeOf(sentForm(schema));
  const answered = (schema: z.ZodType): number => shapes.placeOf(schema);
  return {
    ...facts,
    reply: plainReply(reply, answered),
    ...given({
      params: params && sent(params),
      query: query && sent(query),
      body: body && plainBody(body, sent),
      events: events && answered(events),
      alternative: alternative && answered(alternative),
    }),
  };
}

type PlaceOf = (schema: z.ZodType) => number;

function plainBody(body: RequestBody, placeOf: PlaceOf): PlainBody {
  if (body.type === "bytes") return body;
  if (body.type === "multipart") return { ...body, fields: placeOf(body.fields) };
  return { ...body, schema: placeOf(body.schema) };
}

function plainReply(reply: Reply, placeOf: PlaceOf): PlainReply {
  return "schema" in reply ? { ...reply, schema: placeOf(reply.schema) } : reply;
}
