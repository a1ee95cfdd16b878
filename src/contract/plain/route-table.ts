import type { Domain, Routes } from "../index.ts";
import { contractRoutes, pageShapes } from "./table.ts" with { type: "macro" };
import type { PlainRoute } from "./plain-route.ts";
import { nameIn, pageDomains, routeOf } from "./route-line.ts";
import { ShapeReader, type ShapeTexts } from "./shape-reader.ts";
import { shapeAt, type Form } from "./shape.ts";

/** The name of a route: its domain and its name there, e.g. `resources.get`. */
export type RouteName = {
  [Name in Domain]: `${Name}.${keyof Routes[Name] & string}`;
}[Domain];

/** The parts of a request and of an answer that have a shape. */
export type SentPart = "params" | "query" | "fields" | "body";
export type AnswerPart = "reply" | "events" | "alternative";
export type RoutePart = SentPart | AnswerPart;

// A bundler repeats the texts of a constant object at each place that uses it, but not of a map.
const texts = new Map(Object.entries(contractRoutes()));
const lines = new Map<string, ReadonlyMap<string, string>>();
const parsed = new Map<string, PlainRoute>();
const pages: ReadonlySet<Domain> = new Set(pageDomains);
const reader = new ShapeReader();
/** The texts of the parts of a domain's routes, a line for each route, as they are loaded. */
const parts = new Map<string, (readonly string[])[]>();
const places = new Map<string, number>();
let isReady = false;
let further: Promise<void> | undefined;

function isDomain(name: string): name is Domain {
  return texts.has(name);
}

/** Names of the domains, in the order of the contract. */
export const domainNames: readonly Domain[] = [...texts.keys()].filter(isDomain);

/** The lines of a domain's routes by their names, in the order of the contract. */
function linesOf(domain: Domain): ReadonlyMap<string, string> {
  let known = lines.get(domain);
  if (known === undefined) {
    const all = (texts.get(domain) ?? "").split("\n");
    known = new Map(all.map((line) => [nameIn(line), line]));
    lines.set(domain, known);
  }
  return known;
}

/** Names of the routes of a domain, in the order of the contract. */
export function routeNames(domain: Domain): readonly string[] {
  return [...linesOf(domain).keys()];
}

function addShapes(shapes: ShapeTexts): void {
  reader.add(shapes);
  for (const [domain, text] of Object.entries(shapes.parts)) {
    const known = parts.get(domain) ?? [];
    known.push(text.split("\n"));
    parts.set(domain, known);
  }
}

/** The text of a part, which follows the part's letter in the line of its route. */
function textOf(domain: Domain, name: string, part: RoutePart): string | undefined {
  const [letter = ""] = part;
  const index = routeNames(domain).indexOf(name);
  for (const routes of parts.get(domain) ?? []) {
    const found = routes[index]?.split(" ").find((text) => text.startsWith(letter));
    if (found !== undefined) return found.slice(letter.length);
  }
  return undefined;
}

/** Adds the shapes of pages, whose numbers come before all others. */
function readyPage(): void {
  if (!isReady) addShapes(pageShapes());
  isReady = true;
}

/** The form of a part of a route; undefined if the route has none, or this build leaves it out. */
export function formOf(domain: Domain, name: string, part: RoutePart): Form | undefined {
  readyPage();
  const key = `${domain}.${name} ${part}`;
  const known = places.get(key);
  if (known !== undefined) return { shapes: reader.shapes, place: known };
  const text = textOf(domain, name, part);
  if (text === undefined) return undefined;
  const place = reader.placeOf(text);
  places.set(key, place);
  return { shapes: reader.shapes, place };
}

/** Loads the shapes of a domain; undefined if they are there, as those of pages always are. */
export function loadShapes(domain: Domain): Promise<void> | undefined {
  if (pages.has(domain)) return undefined;
  further ??= Promise.all([import("./further-shapes.ts"), import("./further-requests.ts")]).then(
    ([{ furtherShapes }, { furtherRequests }]) => {
      readyPage();
      addShapes(furtherShapes);
      if (furtherRequests !== undefined) addShapes(furtherRequests);
    },
    (error: unknown) => {
      // A page that was away for a moment loads them with its next call.
      further = undefined;
      throw error;
    },
  );
  return further;
}

/**
 * A route of the contract as plain data, without its schemas, which take 20 ms to load. A route is
 * read from its line when it is first used. Throws a TypeError for a name that no route has.
 */
export function plainRoute(name: RouteName | `${Domain}.${string}`): PlainRoute {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const [domain = "", key = ""] = name.split(".");
  const line = isDomain(domain) ? linesOf(domain).get(key) : undefined;
  if (line === undefined) throw new TypeError(`The contract has no route ${name}`);
  const route = routeOf(line);
  parsed.set(name, route);
  return route;
}

/** Names of the members that the JSON answer of a route may have. */
export function replyMembers(name: RouteName): readonly string[] {
  return membersOf(name, "reply");
}

/** Names of the text fields that the form of a route may have. */
export function formFields(name: RouteName): readonly string[] {
  return membersOf(name, "fields");
}

function membersOf(name: RouteName, part: RoutePart): readonly string[] {
  const [domain = "", key = ""] = name.split(".");
  const form = isDomain(domain) ? formOf(domain, key, part) : undefined;
  const shape = form && shapeAt(form.shapes, form.place);
  return shape?.is === "object" ? Object.keys(shape.members) : [];
}
