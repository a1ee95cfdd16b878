import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { systemFields } from "#contract/shared-names.ts";
import { ownMember } from "#lib/own-member.ts";
import { unknownColumn, type Field } from "../../kit/output/rows.ts";

/** The system columns. A property with one of these names is the column `data.<name>`. */
const [id, ...others] = systemFields;
const systemColumns = [id, "type", ...others, "data"] as const;
export const isSystem: ReadonlySet<string> = new Set(systemColumns);

/** The columns in `--columns`, and those of a CSV without `--columns`. */
export interface RecordFields {
  readonly chosen: readonly Field<Resource>[] | undefined;
  readonly csv: readonly Field<Resource>[];
}

/**
 * The fields of records of these Object Types: system fields, properties, links and dotted paths.
 * Throws E305, wrong usage, for a column that no type has. The definitions are fetched only when
 * needed. If a deployment has none, any name is accepted and a CSV has the data in one column.
 */
export async function recordFields(
  client: Client,
  types: readonly string[],
  { names, isCsv }: { readonly names: readonly string[] | undefined; readonly isCsv: boolean },
  signal: AbortSignal,
): Promise<RecordFields> {
  const isNeeded = isCsv || names?.some((name) => !isSystem.has(name)) === true;
  const shapes = isNeeded ? await shapesOf(client, types, signal) : [];
  if (shapes.length > 0 && names !== undefined) requireKnown(names, shapes);
  return { chosen: names?.map(fieldOf), csv: csvNames(shapes, types.length > 1).map(fieldOf) };
}

/** Names that the note lists. */
const namedLeftovers = 10;

/** Finds data without a CSV column, i.e. of properties that the Object Type no longer has. */
export class Leftovers {
  readonly #columns: ReadonlySet<string>;
  readonly #names = new Set<string>();

  constructor(columns: readonly Field<Resource>[]) {
    this.#columns = new Set(columns.map(({ name }) => name.replace(/^data\./, "")));
  }

  look(rows: readonly Resource[]): void {
    if (this.#columns.has("data")) return;
    for (const { data } of rows) {
      for (const name of Object.keys(data)) {
        if (!this.#columns.has(name) && this.#names.size < namedLeftovers) this.#names.add(name);
      }
    }
  }

  /** The note about these data; undefined if there are none. */
  words(): string | undefined {
    if (this.#names.size === 0) return undefined;
    return `No column for: ${[...this.#names].join(", ")}; --format ndjson includes them`;
  }
}

type Properties = Readonly<Record<string, { readonly type: string }>>;

async function shapesOf(
  client: Client,
  types: readonly string[],
  signal: AbortSignal,
): Promise<Properties[]> {
  try {
    const { objectTypes } = await client.objectTypes.schema({ signal });
    const shapes = objectTypes.filter(({ slug }) => types.includes(slug)).map(shapeOf);
    // A deployment may leave out the properties: then nothing is known about a column.
    return shapes.every((shape) => Object.keys(shape).length > 0) ? shapes : [];
  } catch (error) {
    const isAnswer = error instanceof CatalogError && error.status !== undefined;
    if (isAnswer && error.status !== 401) return [];
    throw error;
  }
}

function shapeOf({ properties, linkTypes = [] }: ObjectType): Properties {
  const links = linkTypes.map(({ name }) => [name, { type: "reference" }] as const);
  return { ...properties, ...Object.fromEntries(links) };
}

function requireKnown(names: readonly string[], shapes: readonly Properties[]): void {
  for (const name of names) {
    const [first = "", ...rest] = name.split(".");
    if (isSystem.has(name)) continue;
    const path = first === "data" && rest.length > 0 ? rest : [first, ...rest];
    if (!shapes.some((shape) => holds(shape, path))) {
      throw unknownColumn(name, [...systemColumns, ...shapes.flatMap((shape) => pathsIn(shape))]);
    }
  }
}

/** Returns whether a path can have a value: anything fits without a definition. */
function holds(shape: Properties, [name = "", ...rest]: readonly string[]): boolean {
  const property = ownMember(shape, name);
  if (property === undefined) return false;
  return rest.length === 0 || leadsOn(property, rest);
}

function leadsOn(property: object, path: readonly string[]): boolean {
  const type = "type" in property ? property.type : undefined;
  if (type === "geometry") return true;
  if (type === "file" || type === "geopoint") return path.length <= 2;
  if (type === "reference") return path.length === 1 && isIndex(path[0]);
  if (type === "array") {
    const rest = isIndex(path[0]) ? path.slice(1) : path;
    const items = "items" in property ? property.items : undefined;
    if (rest.length === 0 || typeof items !== "object" || items === null) return true;
    return leadsOn(items, rest);
  }
  if (type !== "object") return false;
  const members = membersOf(property);
  return members === undefined || holds(members, path);
}

function membersOf(property: object): Properties | undefined {
  if (!("properties" in property)) return undefined;
  const { properties } = property;
  // The contract has parsed the definition, so members have types.
  return typeof properties === "object" && properties !== null
    ? (properties as Properties)
    : undefined;
}

/** Names for suggestions: properties, and members of objects. */
function pathsIn(shape: Properties): string[] {
  return Object.entries(shape).flatMap(([name, property]) => [
    name,
    ...Object.keys(membersOf(property) ?? {}).map((member) => `${name}.${member}`),
  ]);
}

function isIndex(step: string | undefined): boolean {
  return step !== undefined && /^\d{1,6}$/.test(step);
}

function csvNames(shapes: readonly Properties[], hasTypes: boolean): string[] {
  const system = systemColumns.filter((name) => name !== "data" && (hasTypes || name !== "type"));
  if (shapes.length === 0) return [...system, "data"];
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  return [...system, ...[...names].map((name) => (isSystem.has(name) ? `data.${name}` : name))];
}

function fieldOf(name: string): Field<Resource> {
  if (isSystem.has(name)) return { name, value: (row) => row[name] };
  const steps = name.split(".");
  const path = steps[0] === "data" && steps.length > 1 ? steps.slice(1) : steps;
  return { name, value: (row) => valueAt(row.data, path) };
}

/** The value at a path. A list without an index gives the list of its items' values. */
function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (isIndex(step)) return valueAt(value[Number(step)], rest);
    const values = value.map((item: unknown) => valueAt(item, [step, ...rest]));
    return values.some((item) => item !== undefined) ? values : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  return valueAt(ownMember(value, step), rest);
}
