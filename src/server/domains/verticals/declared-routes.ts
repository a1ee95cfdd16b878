import { verticalRouteList, type VerticalRoute } from "#contract/apps/verticals.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import * as z from "zod";
import { inlinedSchema, SchemaRefusal } from "./inlined-schema.ts";

export interface DeclaredRoute {
  readonly route: VerticalRoute;
  readonly segments: readonly string[];
  readonly bodySchema: z.ZodType | undefined;
  /** Schemas of the body, each of which a value of a request may be compared with. */
  readonly bodySchemas: number;
}

/** The routes that one binding declares, and what is wrong with the others. */
export interface Declarations {
  readonly routes: readonly DeclaredRoute[];
  readonly faults: readonly Fault[];
}

const place = ["config", "routes"] as const;
const noDeclarations: Declarations = { routes: [], faults: [] };

/** Reads `config.routes` of a binding. A declaration with a fault answers no request. */
export function declaredRoutes({ config }: JsonObject): Declarations {
  if (!isJsonObject(config) || config["routes"] === undefined) return noDeclarations;
  const parsed = verticalRouteList.safeParse(config["routes"]);
  if (!parsed.success) {
    const faults = schemaFaults(parsed.error).map(({ path, detail }) => ({
      pointer: pointer(...place, ...path),
      detail,
    }));
    return { routes: [], faults };
  }
  const routes: DeclaredRoute[] = [];
  const faults: Fault[] = [];
  const taken = new Set<string>();
  for (const [index, route] of parsed.data.entries()) {
    const shape = `${route.method} ${route.path.replaceAll(/\{\w+\}/g, "{}")}`;
    if (taken.has(shape)) {
      faults.push({ pointer: pointer(...place, index), detail: "is declared twice" });
      continue;
    }
    taken.add(shape);
    const twice = repeatedProperty(route);
    if (twice !== undefined) {
      const detail = `names the property ${twice} twice`;
      faults.push({ pointer: pointer(...place, index, "fields"), detail });
      continue;
    }
    const schema = schemaOf(route.body);
    if (typeof schema === "string") {
      faults.push({ pointer: pointer(...place, index, "body"), detail: schema });
      continue;
    }
    const { body, bodySchema } = schema;
    const bodySchemas = countObjects(body);
    const segments = route.path.split("/");
    routes.push({ route: { ...route, body }, segments, bodySchema, bodySchemas });
  }
  return { routes, faults };
}

/** With two names for one property, one of two values would be lost. */
function repeatedProperty({ fields = {} }: VerticalRoute): string | undefined {
  const properties = Object.values(fields);
  return properties.find((property, at) => properties.indexOf(property) < at);
}

/** A pattern of a builder could take a request hours, and zod runs it as it is. */
const refusedKeywords = ["pattern", "patternProperties", "$dynamicRef", "$recursiveRef"];

/** A body's JSON Schema without references, and how it is checked; or the reason of a refusal. */
function schemaOf(
  body: JsonObject | undefined,
): { readonly body?: JsonObject; readonly bodySchema?: z.ZodType } | string {
  if (body === undefined) return {};
  const refused = refusedKeywords.find((keyword) => hasKeyword(body, keyword));
  if (refused !== undefined) {
    const instead = refused.endsWith("Ref")
      ? "write the schema in its place"
      : "the Object Type checks the format of a text";
    return `must not use ${refused}: ${instead}`;
  }
  try {
    const inlined = inlinedSchema(body);
    return { body: inlined, bodySchema: z.fromJSONSchema(inlined) };
  } catch (error) {
    if (error instanceof SchemaRefusal) return error.message;
    return `is not a JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function hasKeyword(schema: unknown, keyword: string, isMap = false): boolean {
  if (Array.isArray(schema)) return schema.some((each) => hasKeyword(each, keyword));
  if (!isJsonObject(schema)) return false;
  // Below these members names are those of properties, not keywords.
  return Object.entries(schema).some(
    ([name, value]) =>
      (!isMap && name === keyword) ||
      (name !== "enum" &&
        name !== "const" &&
        hasKeyword(value, keyword, !isMap && /^(?:properties|\$defs|definitions)$/.test(name))),
  );
}

/** The objects of a JSON value: the schemas within one, and some more. */
function countObjects(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countObjects(each), 0);
  if (!isJsonObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + countObjects(each), 1);
}

export interface DeclaredMatch {
  readonly declared: DeclaredRoute;
  /** The values of the path's parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a path; a literal segment matches before a parameter, from left to right. */
export function matchDeclared(
  all: readonly DeclaredRoute[],
  method: string,
  path: string,
): DeclaredMatch | undefined {
  const given = path.split("/");
  const [first] = all
    .filter(({ route, segments }) => route.method === method && fits(segments, given))
    .toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  if (first === undefined) return undefined;
  const parameters = first.segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), given[index] ?? ""] as const] : [],
  );
  return { declared: first, parameters: Object.fromEntries(parameters) };
}

/** The methods that are declared for a path. */
export function methodsOf(all: readonly DeclaredRoute[], path: string): string[] {
  const given = path.split("/");
  const methods = all.filter(({ segments }) => fits(segments, given));
  return [...new Set(methods.map(({ route }) => route.method))].toSorted();
}

function rankOf({ segments }: DeclaredRoute): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

function fits(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, index) =>
      isParameter(segment) ? given[index] !== "" : segment === given[index],
    )
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
