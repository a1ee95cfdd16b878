import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject, sortedJson } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** The time of what a platform gives no time for, so that two archives are equal. */
export const unknownTime = "1970-01-01T00:00:00.000Z";

/** A time in the form of an archive. */
export function archivedTime(time: string | undefined, instead: string): string {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? instead : new Date(ms).toISOString();
}

/** A file of a record, as its property describes it in an archive. */
export interface ArchivedFileValue {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

/** One line of a part with records: its ids are those of the archive, and it has no history. */
export function recordLineOf(
  record: Resource,
  type: Pick<ObjectType, "properties" | "linkTypes">,
  {
    idOf,
    files,
    lost,
  }: {
    readonly idOf: (id: string) => string;
    readonly files: ReadonlyMap<string, ArchivedFileValue>;
    /** Called with the name of a value that the type does not have. */
    readonly lost: (name: string) => void;
  },
): string {
  const links = new Set((type.linkTypes ?? []).map(({ name }) => name));
  const data: JsonObject = {};
  for (const [name, value] of Object.entries(record.data)) {
    const definition = ownMember(type.properties, name);
    if (value === null || value === undefined) continue;
    if (definition?.type === "file") {
      const file = files.get(name);
      if (file !== undefined) data[name] = { ...file };
    } else if (links.has(name)) data[name] = withIds({ type: "reference" }, value, idOf);
    else if (definition === undefined) lost(name);
    else data[name] = withIds(definition, value, idOf);
  }
  const created = archivedTime(record.created_at, unknownTime);
  const columns = {
    id: idOf(record.id),
    version: Math.max(1, record.version),
    created_at: created,
    created_by: (record.created_by ?? "").slice(0, 255),
    updated_at: archivedTime(record.updated_at, created),
    updated_by: (record.updated_by ?? "").slice(0, 255),
  };
  return `${JSON.stringify(columns).slice(0, -1)},"data":${sortedJson(data)},"history":[]}`;
}

/** A value whose references name the records of the archive. */
function withIds(definition: unknown, value: unknown, idOf: (id: string) => string): unknown {
  if (!isJsonObject(definition)) return value;
  const { type, items, properties } = definition;
  if (type === "reference") {
    if (typeof value === "string") return idOf(value);
    return Array.isArray(value) ? value.map((each) => withIds(definition, each, idOf)) : value;
  }
  if (Array.isArray(value)) return value.map((each) => withIds(items, each, idOf));
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      withIds(ownMember(properties, name), each, idOf),
    ]),
  );
}
