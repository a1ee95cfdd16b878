import { RecentMap } from "../../../../kit/recent-map.ts";
import type { Dialect } from "../../../../database/database.ts";
import type { SlotColumn } from "../../../object-types/service.ts";

/** The texts of a record's insert and update, to be filled in as tagged templates are. */
export type WriteStrings = Readonly<Record<"insert" | "update", TemplateStringsArray>>;

/** Texts by engine and columns, built once: rendering them each time would show. */
const keptShapes = 1000;
const writeStrings = new RecentMap<string, WriteStrings>(keptShapes);
const amongStrings = new RecentMap<string, TemplateStringsArray>(keptShapes);

/**
 * Insert: on SQLite the record's number, then workspace, type number, id, created_at, updated_at, created_by, updated_by, data, the index
 * keys, then workspace, type number and revision. Update: version, data, updated_at, updated_by, the
 * keys, workspace, type number, on SQLite the id and its number, id, the version before, then workspace, type number and revision; on
 * PostgreSQL the operation and the changes last, as both write the history there too.
 */
export function writeStringsFor(dialect: Dialect, columns: readonly SlotColumn[]): WriteStrings {
  const names = columns.map(({ column }) => column);
  const key = `${dialect} ${names.join()}`;
  let strings = writeStrings.get(key);
  if (strings === undefined) {
    strings =
      dialect === "sqlite"
        ? { insert: sqliteInsert(names), update: sqliteUpdate(names) }
        : { insert: postgresqlInsert(names), update: postgresqlUpdate(names) };
    writeStrings.set(key, strings);
  }
  return strings;
}

/**
 * SQLite: the insert of one among many, whose type's revision was looked at for all of them. As the
 * insert alone up to the keys; a value that is taken passes by.
 */
export function insertAmongFor(columns: readonly SlotColumn[]): TemplateStringsArray {
  const names = columns.map(({ column }) => column);
  const key = names.join();
  let strings = amongStrings.get(key);
  if (strings === undefined) {
    strings = template(`${insertInto(names)} values (${valuesOf(names)}) on conflict do nothing`);
    amongStrings.set(key, strings);
  }
  return strings;
}

const hole = "\u0000";

/** A text with holes as the strings of a template literal, so that it is rendered once. */
function template(text: string): TemplateStringsArray {
  const parts = text.split(hole);
  return Object.assign(parts, { raw: parts });
}

const recordNames =
  "workspace_id, type_number, id, created_at, updated_at, created_by, updated_by, data";
const isCurrent = `exists (select 1 from object_types
  where workspace_id = ${hole} and number = ${hole} and revision = ${hole})`;

function listed(names: readonly string[]): string {
  return names.map((name) => `, ${name}`).join("");
}

function sqliteInsert(names: readonly string[]): TemplateStringsArray {
  return template(`${insertInto(names)} select ${valuesOf(names)} where ${isCurrent}`);
}

function insertInto(names: readonly string[]): string {
  return `insert into resources (record_number, ${recordNames}, version${listed(names)})`;
}

function valuesOf(names: readonly string[]): string {
  const holes = Array.from({ length: 8 }, () => hole).join(", ");
  return `${holes}, jsonb(${hole}), 1${listed(names.map(() => hole))}`;
}

function sqliteUpdate(names: readonly string[]): TemplateStringsArray {
  return template(`update resources set version = ${hole}, data = jsonb(${hole}),
    updated_at = ${hole}, updated_by = ${hole}${listed(names.map((name) => `${name} = ${hole}`))}
    where workspace_id = ${hole} and type_number = ${hole} and record_number = coalesce(
        (select record_number from resource_numbers where id = ${hole}), ${hole})
      and id = ${hole} and version = ${hole} and ${isCurrent}`);
}

function typed(name: string): string {
  return `${hole}::${name.startsWith("n") ? "float8" : "text"}`;
}

/** Record, history and count in one round trip. */
function postgresqlInsert(names: readonly string[]): TemplateStringsArray {
  const text = `${hole}::text`;
  return template(`with made as (
      insert into resources (${recordNames}, version${listed(names)})
      select ${text}, ${hole}::bigint, ${text}, ${text}, ${text}, ${text}, ${text}, ${text}::jsonb,
        1${listed(names.map(typed))} where ${isCurrent}
      returning workspace_id, type_number, id, created_at, created_by
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor)
      select workspace_id, id, 1, type_number, 'create', created_at, created_by from made
    )
    insert into resource_counts (workspace_id, type_number, shard, records)
    select workspace_id, type_number, pg_backend_pid() % 64, 1 from made
    on conflict (workspace_id, type_number, shard)
      do update set records = resource_counts.records + 1`);
}

function postgresqlUpdate(names: readonly string[]): TemplateStringsArray {
  const sets = names.map((name) => `${name} = ${typed(name)}`);
  return template(`with made as (
      update resources set version = ${hole}, data = ${hole}::text::jsonb, updated_at = ${hole},
        updated_by = ${hole}${listed(sets)}
      where workspace_id = ${hole} and type_number = ${hole} and id = ${hole}
        and version = ${hole} and ${isCurrent}
      returning workspace_id, type_number, id, version, updated_at, updated_by
    )
    insert into resource_history
      (workspace_id, resource_id, version, type_number, operation, at, actor, changes)
    select workspace_id, id, version, type_number, ${hole}::text, updated_at, updated_by,
      ${hole}::text::jsonb from made`);
}
