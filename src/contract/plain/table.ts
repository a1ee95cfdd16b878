import * as z from "zod";
import { given } from "#lib/given.ts";
import { sentForm } from "../deployments.ts";
import { routes, type Domain } from "../index.ts";
import { listBody } from "../lists.ts";
import type { RouteDefinition } from "../route.ts";
import { pageDomains, lineOf } from "./route-line.ts";
import type { PlainBody, PlainRoute } from "./plain-route.ts";
import { commonSign, type ShapeTexts } from "./shape-reader.ts";
import { ShapeWriter } from "./shape-writer.ts";
import { Shapes } from "./shapes.ts";

/**
 * The contract as texts, which other modules import as macros: a build has these texts in place of
 * the schemas, which load longer than a command's request takes.
 */

const domains = Object.keys(routes) as Domain[];
const pages: readonly Domain[] = pageDomains;
const further = domains.filter((domain) => !pages.includes(domain));

/** Returns the lines of the routes of each domain. */
export function contractRoutes(): Record<string, string> {
  return Object.fromEntries(
    domains.map((domain) => {
      const lines = Object.entries<RouteDefinition>(routes[domain]).map(([name, definition]) =>
        lineOf(name, plainRoute(definition)),
      );
      return [domain, lines.join("\n")];
    }),
  );
}

/** Returns the shapes of {@link pageDomains}. */
export function pageShapes(): ShapeTexts {
  return placedShapes().page;
}

/** Returns the shapes of the answers of all other domains. */
export function furtherShapes(): ShapeTexts {
  return placedShapes().answers;
}

/** Returns the shapes of their requests. */
export function furtherRequests(): ShapeTexts {
  return placedShapes().requests;
}

type Group = "page" | "answers" | "requests";

function placedShapes(): Readonly<Record<Group, ShapeTexts>> {
  const shapes = new Shapes();
  const ofRoute = ({ params, query, body, reply, events, alternative }: RouteDefinition) => {
    const sent = {
      p: params,
      q: query,
      b: body?.type === "json" ? body.schema : undefined,
      f: body?.type === "multipart" ? body.fields : undefined,
    };
    const answered = {
      r: "schema" in reply ? reply.schema : undefined,
      e: events,
      a: alternative,
    };
    return {
      sent: placesOf(sent, (schema) => shapes.placeOf(sentForm(schema), "sent")),
      answered: placesOf(answered, (schema) => shapes.placeOf(schema, "answered")),
    };
  };
  const placed = new Map(
    domains.map((domain) => [domain, Object.values<RouteDefinition>(routes[domain]).map(ofRoute)]),
  );
  const roots = [...placed.values()]
    .flat()
    .flatMap(({ sent, answered }) => [...sent, ...answered].map(([, place]) => place));
  const list = shapes.placeOf(listBody(z.unknown()), "answered");
  const writer = new ShapeWriter(shapes.list, [...roots, list]);
  // The members that every list has after its items.
  const [, common = ""] = /^[^,]*(,.*)\)$/.exec(writer.textOf(list)) ?? [];
  const textsOf = (
    names: readonly Domain[],
    kinds: readonly ("sent" | "answered")[],
  ): ShapeTexts => {
    const parts = names.map((domain) => {
      const lines = (placed.get(domain) ?? []).map((route) =>
        kinds
          .flatMap((kind) => route[kind])
          .map(([letter, place]) => letter + writer.textOf(place).replace(/,$/, ""))
          .join(" "),
      );
      return [domain, lines.join("\n")] as const;
    });
    const texts = writer.take(Object.fromEntries(parts));
    const short = (text: string): string => text.replaceAll(common, commonSign);
    const shortParts = Object.entries(texts.parts).map(([name, text]) => [name, short(text)]);
    const entries = short(texts.entries);
    return { ...texts, parts: Object.fromEntries(shortParts), entries, common };
  };
  return {
    page: textsOf(pages, ["sent", "answered"]),
    answers: textsOf(further, ["answered"]),
    requests: textsOf(further, ["sent"]),
  };
}

function placesOf(
  parts: Readonly<Record<string, z.ZodType | undefined>>,
  placeOf: (schema: z.ZodType) => number,
): readonly (readonly [letter: string, place: number])[] {
  return Object.entries(parts).flatMap(([letter, schema]) =>
    schema === undefined ? [] : [[letter, placeOf(schema)] as const],
  );
}

function plainRoute(definition: RouteDefinition): PlainRoute {
  const { method, path, access, workspace, reply, query, events, body } = definition;
  const { idempotent, many, asks, takesRest } = definition;
  return {
    method,
    path,
    workspace,
    reply: { type: reply.type },
    ...given({
      isPublic: access === "public" || undefined,
      idempotent,
      many,
      asks,
      takesRest,
      hasQuery: query !== undefined || undefined,
      hasEvents: events !== undefined || undefined,
      body: body && plainBody(body),
    }),
  } as PlainRoute;
}

function plainBody(body: NonNullable<RouteDefinition["body"]>): PlainBody {
  if (body.type === "bytes") return body;
  if (body.type === "multipart") return { type: body.type, files: body.files };
  return { type: body.type, ...given({ isOptional: body.isOptional }) };
}
