import type * as z from "zod";
import { given } from "#lib/given.ts";
import { sentForm } from "../deployments.ts";
import { routes, type Domain } from "../index.ts";
import type { Reply, RequestBody, RouteDefinition } from "../route.ts";
import type { DomainRoutes, PlainBody, PlainReply, PlainRoute } from "./plain-route.ts";
import { Shapes } from "./shapes.ts";

/**
 * Returns the JSON text of each domain's routes, and that of the shapes that all of them share.
 * `route-table.ts` imports it as a macro: a build has these texts in place of the schemas, which
 * load longer than a command's request takes.
 */
export function contractTable(): Record<Domain | "shapes", string> {
  const shapes = new Shapes();
  const texts = Object.entries(routes).map(([domain, definitions]) => {
    const plain = Object.entries<RouteDefinition>(definitions).map(
      ([name, definition]) => [name, plainRoute(definition, shapes)] as const,
    );
    const table: DomainRoutes = Object.fromEntries(plain);
    return [domain, JSON.stringify(table)];
  });
  return Object.fromEntries([...texts, ["shapes", JSON.stringify(shapes.list)]]);
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
