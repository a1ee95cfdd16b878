import { uuidNumber } from "../../../../kit/ordered-uuid.ts";
import { RecentMap } from "../../../../kit/recent-map.ts";
import type { Writer } from "../../../../database/database.ts";
import { statement, valueRows, type Parameter } from "../../../../database/statement.ts";
import type { RecordType, TypeKey } from "../../../object-types/service.ts";
import { isNotDeleted } from "../../../../work/living.ts";
import type { SlotColumn } from "../../../../fields/slots.ts";
import { foldsOf } from "../text-order.ts";
import {
  insertEntries,
  removeEntries,
  replaceEntries,
  type EntryWrite,
} from "../search/entries.ts";
import type { DeletionNote, RecordChange, RecordRemoval, RecordWrite } from "../record-types.ts";

/*
 * The writes of `write-records.ts` on SQLite, by prepared statements. The database runs in this
 * process, where a statement for each changed row is fastest. New rows share statements: each one
 * copies the pages that it changes, because the table has triggers, and rows of one statement
 * change the same pages.
 */

/**
 * Rows of one statement; their data has at most 32 KiB, so that it takes about a millisecond. The
 * first row of a statement takes twice as long as a further one.
 */
const rowsAtOnce = [48, 16, 8, 4, 2] as const;
const charactersAtOnce = 32 * 1024;

export async function insertRows(
  writer: Writer,
  type: RecordType,
  writes: readonly RecordWrite[],
): Promise<ReadonlySet<string>> {
  const created = new Set<string>();
  if (!(await isCurrent(writer, type))) return created;
  // In the order of their ids each row is appended, which fills the pages of the table.
  const sorted = writes.toSorted(byId);
  for (let at = 0; at < sorted.length;) {
    const some = sorted.slice(at, at + rowsFrom(sorted, at));
    for (const id of await insertSome(writer, type, some)) created.add(id);
    at += some.length;
  }
  if (created.size === 0) return created;
  await insertEntries(writer, type, entriesOf(writes, created));
  await noteCreations(
    writer,
    type,
    sorted.filter(({ record: { id } }) => created.has(id)),
  );
  await addToCount(writer, type, created.size);
  return created;
}

/** Bound values take half of the time of those of a JSON text. */
async function noteCreations(
  writer: Writer,
  { number }: TypeKey,
  writes: readonly RecordWrite[],
): Promise<void> {
  for (let at = 0; at < writes.length;) {
    const count = rowsAtOnce.find((rows) => at + rows <= writes.length) ?? 1;
    const rows = writes
      .slice(at, at + count)
      .map(({ record: { id, created_at: when, created_by: by } }): Parameter[] => {
        return [id, 1, number, "create", when, by, null];
      });
    await writer.run(statement`insert into resource_history
      (resource_id, version, type_number, operation, at, actor, changes) ${valueRows(rows)}`);
    at += count;
  }
}

/** The number of rows of the next statement. */
function rowsFrom(writes: readonly RecordWrite[], from: number): number {
  const fits = (count: number): boolean => {
    if (from + count > writes.length) return false;
    let characters = 0;
    for (let at = from; at < from + count; at += 1) {
      characters += writes[at]?.record.data.length ?? 0;
    }
    return characters <= charactersAtOnce;
  };
  return rowsAtOnce.find(fits) ?? 1;
}

/** Inserts rows with one statement; returns the ids of those that no other row excludes. */
async function insertSome(
  writer: Writer,
  { workspaceId, number, columns }: RecordType,
  writes: readonly RecordWrite[],
): Promise<string[]> {
  const values: Parameter[] = [];
  for (const { record, keys } of writes) {
    const { id, created_at: at, created_by: by, data } = record;
    const folds = foldsOf(data, "sqlite");
    values.push(uuidNumber(id), workspaceId, number, id, at, at, by, by, data, folds, ...keys);
  }
  const [only] = writes;
  if (only === undefined || writes.length > 1) {
    const insert = statement(textsFor(columns).insertSome(writes.length), ...values);
    return (await writer.all<{ id: string }>(insert)).map(({ id }) => id);
  }
  const { changedRows } = await writer.run(statement(textsFor(columns).insert, ...values));
  return changedRows === 0 ? [] : [only.record.id];
}

export async function updateRows(
  writer: Writer,
  type: RecordType,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<string>> {
  const updated = new Set<string>();
  if (!(await isCurrent(writer, type))) return updated;
  const { update } = textsFor(type.columns);
  const { workspaceId, number } = type;
  for (const { record, keys, changes: patch, operation = "update", operationId } of changes) {
    const { id, version, data, updated_at: at, updated_by: actor } = record;
    const place = [workspaceId, number, id, uuidNumber(id), id, version - 1] as const;
    const { changedRows } = await writer.run(
      statement(update, version, data, foldsOf(data, "sqlite"), at, actor, ...keys, ...place),
    );
    if (changedRows === 0) continue;
    updated.add(id);
    await noteChange(
      writer,
      type,
      { id, version, changes: patch },
      { operation, at, actor, operationId },
    );
  }
  await replaceEntries(writer, type, entriesOf(changes, updated));
  return updated;
}

export async function deleteRows(
  writer: Writer,
  type: TypeKey,
  removals: readonly RecordRemoval[],
  note: DeletionNote,
): Promise<void> {
  await removeEntries(
    writer,
    type,
    removals.map(({ id }) => id),
  );
  for (const one of removals) {
    const { id } = one;
    await writer.run(statement`delete from resources
      where record_number = coalesce((select record_number from shared_numbers where id = ${id}),
          ${uuidNumber(id)})
        and id = ${id} and workspace_id = ${type.workspaceId} and type_number = ${type.number}`);
    await noteChange(writer, type, one, { operation: "delete", ...note });
  }
  await addToCount(writer, type, -removals.length);
}

/** SQLite has one writer: the revision stays the same until the unit ends. */
async function isCurrent(
  writer: Writer,
  { workspaceId, number, revision }: RecordType,
): Promise<boolean> {
  const found = await writer.first(statement`select 1 as one from object_types
    where workspace_id = ${workspaceId} and number = ${number} and revision = ${revision}
      and ${isNotDeleted(workspaceId)}`);
  return found !== undefined;
}

function noteChange(
  writer: Writer,
  { number }: TypeKey,
  { id, version, changes }: Pick<RecordRemoval, "id" | "version" | "changes">,
  {
    operation,
    at,
    actor,
    operationId = null,
  }: Readonly<Record<"operation" | "at" | "actor", string>> & {
    readonly operationId?: string | null | undefined;
  },
): Promise<unknown> {
  return writer.run(statement`insert into resource_history
    (resource_id, version, type_number, operation, at, actor, operation_id, changes) values
    (${id}, ${version}, ${number}, ${operation}, ${at}, ${actor}, ${operationId},
      jsonb(${JSON.stringify(changes)}))`);
}

async function addToCount(writer: Writer, type: TypeKey, records: number): Promise<void> {
  await writer.run(statement`insert into resource_counts
    (workspace_id, type_number, shard, records)
    values (${type.workspaceId}, ${type.number}, 0, ${records})
    on conflict (workspace_id, type_number, shard)
      do update set records = records + excluded.records`);
}

function byId({ record: one }: RecordWrite, { record: other }: RecordWrite): number {
  return one.id < other.id ? -1 : 1;
}

function entriesOf(writes: readonly RecordWrite[], written: ReadonlySet<string>): EntryWrite[] {
  return writes.flatMap(({ record: { id }, entry }) =>
    entry !== undefined && written.has(id) ? [{ id, entry }] : [],
  );
}

/** Statement texts by index columns, rendered once: rendering each time costs a measurable part. */
const texts = new RecentMap<string, Texts>(1000);

interface Texts {
  readonly insert: TemplateStringsArray;
  /** Inserts so many rows, and returns their ids. */
  readonly insertSome: (rows: number) => TemplateStringsArray;
  readonly update: TemplateStringsArray;
}

function textsFor(columns: readonly SlotColumn[]) {
  const names = columns.map(({ column }) => column);
  const key = names.join();
  let found = texts.get(key);
  if (found === undefined) {
    const several = new Map<number, TemplateStringsArray>(
      rowsAtOnce.map((rows) => [rows, template(`${insertText(names, rows)} returning id`)]),
    );
    const insert = template(insertText(names, 1));
    found = {
      insert,
      insertSome: (rows) => several.get(rows) ?? insert,
      update: updateText(names),
    };
    texts.set(key, found);
  }
  return found;
}

/** Stands for a value in a text. */
const hole = "\u0000";

function template(text: string): TemplateStringsArray {
  const parts = text.split(hole);
  return Object.assign(parts, { raw: parts });
}

/**
 * The values of a row: number, workspace, type, id, created and updated at and by, data, folds,
 * then the keys.
 */
function insertText(names: readonly string[], rows: number): string {
  const listed = names.map((name) => `, ${name}`).join("");
  const holes = Array.from({ length: 8 }, () => hole).join(", ");
  const keys = names.map(() => `, ${hole}`).join("");
  const row = `(${holes}, jsonb(${hole}), jsonb(${hole}), 1${keys})`;
  return `insert into resources (record_number, workspace_id, type_number, id, created_at,
      updated_at, created_by, updated_by, data, folds, version${listed})
    values ${Array.from({ length: rows }, () => row).join(", ")}
    on conflict do nothing`;
}

/**
 * Its values: version, data, folds, updated at and by, the keys; workspace, type, id, number, id,
 * version.
 */
function updateText(names: readonly string[]): TemplateStringsArray {
  return template(`update resources set version = ${hole}, data = jsonb(${hole}),
    folds = jsonb(${hole}),
    updated_at = ${hole}, updated_by = ${hole}${names.map((name) => `, ${name} = ${hole}`).join("")}
    where workspace_id = ${hole} and type_number = ${hole}
      and record_number = coalesce((select record_number from shared_numbers where id = ${hole}),
        ${hole})
      and id = ${hole} and version = ${hole}`);
}
