import type { Domain, Routes } from "../index.ts";
import { contractTable } from "./table.ts" with { type: "macro" };
import type { DomainRoutes, DomainTable, PlainRoute } from "./plain-route.ts";
import { pageDomains } from "./page-domains.ts";
import type { Shape } from "./shape.ts";

/** The name of a route: its domain and its name there, e.g. `resources.get`. */
export type RouteName = {
  [Name in Domain]: `${Name}.${keyof Routes[Name] & string}`;
}[Domain];

// A bundler repeats the texts of a constant object at each place that uses it, but not of a map.
const texts = new Map(Object.entries(contractTable()));
/** Parsed at the first use, as the routes of each domain; {@link loadShapes} adds the others. */
let shapes: Shape[] | undefined;
let further: Promise<void> | undefined;
const parsed = new Map<string, DomainTable>();
const pages: ReadonlySet<Domain> = new Set(pageDomains);

function isDomain(name: string): name is Domain {
  return name !== "shapes" && texts.has(name);
}

/** Names of the domains, in the order of the contract. */
export const domainNames: readonly Domain[] = [...texts.keys()].filter(isDomain);

/** The routes of a domain as plain data. Each domain is parsed when it is first used. */
export function domainTable(domain: Domain): DomainTable {
  const known = parsed.get(domain);
  if (known !== undefined) return known;
  const routes: DomainRoutes = JSON.parse(texts.get(domain) ?? "");
  const table: DomainTable = { routes, shapes: knownShapes() };
  parsed.set(domain, table);
  return table;
}

function knownShapes(): Shape[] {
  return (shapes ??= JSON.parse(texts.get("shapes") ?? "") as Shape[]);
}

/** Loads the shapes of a domain; undefined if they are there, as those of pages always are. */
export function loadShapes(domain: Domain): Promise<void> | undefined {
  if (pages.has(domain)) return undefined;
  further ??= import("./further-shapes.ts").then(
    ({ furtherShapes }) => {
      knownShapes().push(...furtherShapes);
    },
    (error: unknown) => {
      // A page that was away for a moment loads them with its next call.
      further = undefined;
      throw error;
    },
  );
  return further;
}

/** A route of the contract as plain data, without its schemas, which take 20 ms to load. */
export function plainRoute(name: RouteName): PlainRoute {
  const [domain = "", key = ""] = name.split(".");
  const route = isDomain(domain) ? domainTable(domain).routes[key] : undefined;
  if (route === undefined) throw new TypeError(`The contract has no route ${name}`);
  return route;
}

/** Names of the members that the JSON answer of a route may have. */
export function replyMembers(name: RouteName): readonly string[] {
  const { reply } = plainRoute(name);
  return "schema" in reply ? membersAt(name, reply.schema) : [];
}

/** Names of the text fields that the form of a route may have. */
export function formFields(name: RouteName): readonly string[] {
  const { body } = plainRoute(name);
  return body?.type === "multipart" ? membersAt(name, body.fields) : [];
}

function membersAt(name: RouteName, place: number): readonly string[] {
  const [domain = ""] = name.split(".");
  const shape = isDomain(domain) ? domainTable(domain).shapes[place] : undefined;
  return shape?.is === "object" ? Object.keys(shape.members) : [];
}
