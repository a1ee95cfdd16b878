import type { Writer } from "../../../../database/database.ts";
import { takeNumbers, type RecordNumbers } from "../../../../database/shared-numbers.ts";
import {
  byDialect,
  join,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../../database/statement.ts";
import type { RecordType } from "../../../object-types/service.ts";
import type { RecordChange } from "../record-types.ts";
import { addLinks } from "../links.ts";
import { foldsOf } from "../text-order.ts";
import { replaceEntries } from "../search/entries.ts";
import { reportCreated, reportUpdated, type Reporter, type ReportedType } from "./record-events.ts";

/**
 * Creates deleted records again in their next version, with their histories, search entries, links
 * and count; returns how many. A record with a unique value that is taken is left out.
 */
export async function reviveRecords(
  writer: Writer & Reporter,
  type: RecordType & ReportedType,
  changes: readonly RecordChange[],
): Promise<number> {
  return insertAgain(writer, type, changes, async (given) => {
    await note(writer, type, given);
    for (const change of changes) reportUpdated(writer, type, change);
  });
}

/** A version in the history of a record of an archive; `changes` is JSON text. */
export interface ArchivedVersion {
  readonly resource_id: string;
  readonly version: number;
  readonly operation: string;
  readonly at: string;
  readonly actor: string;
  readonly operation_id: string | null;
  readonly changes: string | null;
}

/** Creates the records of an archive as {@link reviveRecords} does, with their whole histories. */
export async function insertArchived(
  writer: Writer & Reporter,
  type: RecordType & ReportedType,
  changes: readonly RecordChange[],
  history: readonly ArchivedVersion[],
): Promise<number> {
  return insertAgain(writer, type, changes, async () => {
    await noteVersions(writer, type, history);
    for (const change of changes) reportCreated(writer, type, change);
  });
}

async function insertAgain(
  writer: Writer,
  type: RecordType & ReportedType,
  changes: readonly RecordChange[],
  noteAll: (given: Statement) => Promise<void>,
): Promise<number> {
  if (changes.length === 0) return 0;
  const { workspaceId, number, columns } = type;
  const names = columns.map(({ column }) => column);
  const numbers = await numbersFor(writer, changes);
  const list = JSON.stringify(
    changes.map(({ record, keys, changes: patch, operation, operationId }) => ({
      ...record,
      data: undefined,
      number: numbers?.(record.id),
      // SQLite keeps the order of the names only in a text.
      json: record.data,
      folds: foldsOf(record.data, writer.dialect),
      operation,
      operation_id: operationId ?? null,
      changes: JSON.stringify(patch),
      ...Object.fromEntries(names.map((name, at) => [name, keys[at] ?? null])),
    })),
  );
  const given = givenRows(
    list,
    columns.map(({ column, slot }) => `${column} ${slot.kind === "number" ? "float8" : "text"}`),
  );
  const [numberName, json] = [
    byDialect({ sqlite: raw("record_number,"), postgresql: nothing }),
    byDialect({
      sqlite: raw("jsonb(json), jsonb(folds)"),
      postgresql: raw("json::jsonb, folds::jsonb"),
    }),
  ];
  const listed =
    names.length === 0 ? nothing : statement`, ${join(names.map((name) => raw(name)))}`;
  const { changedRows } = await writer.run(statement`insert into resources (${numberName}
      workspace_id, type_number, id, version, created_at, updated_at, created_by, updated_by,
      data, folds ${listed})
    select ${byDialect({ sqlite: raw("number,"), postgresql: nothing })} ${workspaceId}, ${number},
      id, version, created_at, updated_at, created_by, updated_by, ${json} ${listed}
    from (${given}) as given where true on conflict do nothing`);
  if (changedRows < changes.length) return changedRows;
  await noteAll(given);
  await countRecords(writer, type, changes.length);
  const entries = changes.flatMap(({ record: { id }, entry }) =>
    entry === undefined ? [] : [{ id, entry }],
  );
  await replaceEntries(writer, type, entries);
  await addLinks(
    writer,
    type,
    changes.flatMap(({ record, links }) =>
      (links?.added ?? []).map((link) => ({ ...link, source: record.id })),
    ),
  );
  return changedRows;
}

/** SQLite: the records' numbers, of which another record may have taken some. */
async function numbersFor(
  writer: Writer,
  changes: readonly RecordChange[],
): Promise<RecordNumbers | undefined> {
  if (writer.dialect === "postgresql") return undefined;
  return takeNumbers(
    writer,
    changes.map(({ record }) => record.id),
  );
}

async function note(
  writer: Writer,
  { workspaceId, number }: RecordType,
  given: Statement,
): Promise<void> {
  const [workspace, value, json] = [
    byDialect({ sqlite: nothing, postgresql: raw("workspace_id,") }),
    byDialect({ sqlite: nothing, postgresql: statement`${workspaceId},` }),
    byDialect({ sqlite: raw("jsonb(changes)"), postgresql: raw("changes::jsonb") }),
  ];
  await writer.run(statement`insert into resource_history (${workspace} resource_id, version,
      type_number, operation, at, actor, operation_id, changes)
    select ${value} id, version, ${number}, operation, updated_at, updated_by, operation_id, ${json}
    from (${given}) as given`);
}

async function noteVersions(
  writer: Writer,
  { workspaceId, number }: RecordType,
  history: readonly ArchivedVersion[],
): Promise<void> {
  const list = JSON.stringify(history);
  const columns = "resource_id, version, operation, at, actor, operation_id";
  const taken = columns.split(", ").map((name) => `value ->> '${name}'`);
  await writer.run(
    byDialect({
      sqlite: statement`insert into resource_history (${raw(columns)}, type_number, changes)
        select ${raw(taken.join(", "))}, ${number}, jsonb(value ->> 'changes')
        from json_each(${list})`,
      postgresql: statement`insert into resource_history
          (${raw(columns)}, workspace_id, type_number, changes)
        select ${raw(columns)}, ${workspaceId}, ${number}, changes::jsonb
        from jsonb_to_recordset(${list}::text::jsonb) as row(resource_id text, version bigint,
          operation text, at text, actor text, operation_id text, changes text)`,
    }),
  );
}

async function countRecords(
  writer: Writer,
  { workspaceId, number }: RecordType,
  count: number,
): Promise<void> {
  await writer.run(statement`insert into resource_counts
    (workspace_id, type_number, shard, records)
    values (${workspaceId}, ${number}, 0, ${count})
    on conflict (workspace_id, type_number, shard)
      do update set records = resource_counts.records + excluded.records`);
}

const texts = [
  "id",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
  "json",
  "folds",
  "operation",
];
const fields = [...texts, "operation_id", "changes"];

function givenRows(list: string, columns: readonly string[]): Statement {
  const names = columns.map((column) => column.split(" ")[0] ?? "");
  const taken = [...fields, "version", "number", ...names].map(
    (name) => `value ->> '${name}' as ${name}`,
  );
  const declared = [...fields.map((name) => `${name} text`), "version bigint", ...columns];
  return byDialect({
    sqlite: statement`select ${raw(taken.join(", "))} from json_each(${list})`,
    postgresql: statement`select * from jsonb_to_recordset(${list}::text::jsonb)
      as row(${raw(declared.join(", "))})`,
  });
}
