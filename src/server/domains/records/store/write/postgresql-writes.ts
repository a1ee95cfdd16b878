import type { Writer } from "../../../../database/database.ts";
import { lexeme } from "../../../../database/dialect.ts";
import { nothing, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { RecordType, RecordWrite } from "../records.ts";
import { declared, isCurrent, listed, named, rowText } from "./rows-text.ts";
import { indexTerm } from "../search/entries.ts";

/**
 * PostgreSQL: new records of one type with their histories, search entries and count, all in one
 * statement; the ids of those that were made. What is left out has a unique value that is taken, or
 * all are, when the type has changed meanwhile.
 */
export async function insertRows(
  writer: Writer,
  type: RecordType,
  writes: readonly RecordWrite[],
): Promise<ReadonlySet<string>> {
  const { workspaceId, number, columns } = type;
  const rows = writes.map((write) => newRowText(type, write));
  const made = await writer.all<{ id: string }>(statement`with given as materialized (
      select * from jsonb_to_recordset(${`[${rows.join()}]`}::text::jsonb)
        as row(id text, at text, actor text, data jsonb, length bigint, checksum bigint,
          terms text${listed(columns, declared)})
    ), made as (
      insert into resources (workspace_id, type_number, id, created_at, updated_at, created_by,
        updated_by, data, version${listed(columns, ({ column }) => column)})
      select ${workspaceId}::text, ${number}::bigint, id, at, at, actor, actor, data,
        1${listed(columns, ({ column }) => column)}
      from given where ${isCurrent(type)} ${unlessTaken(type)}
      returning id, created_at, created_by
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor)
      select ${workspaceId}::text, id, 1, ${number}::bigint, 'create', created_at, created_by
      from made
    ), counted as (
      insert into resource_counts (workspace_id, type_number, shard, records)
      select ${workspaceId}::text, ${number}::bigint, pg_backend_pid() % 64, count(*) from made
      on conflict (workspace_id, type_number, shard)
        do update set records = resource_counts.records + excluded.records
    ), searched as (
      insert into resource_search
        (workspace_id, type_number, resource_id, length, checksum, terms)
      select ${workspaceId}::text, ${number}::bigint, id, length, checksum, terms::tsvector
      from made join given using (id) where terms is not null
    )
    select id from made`);
  return new Set(made.map(({ id }) => id));
}

/** A type without unique values is spared the search for them: an id is new. */
function unlessTaken({ columns }: RecordType): Statement {
  return columns.some(({ slot }) => slot.kind === "unique")
    ? raw("on conflict do nothing")
    : nothing;
}

function newRowText({ number, columns }: RecordType, { record, keys, entry }: RecordWrite): string {
  const { id, created_at: at, created_by: actor, data } = record;
  const searched =
    entry === undefined || entry.terms.length === 0
      ? {}
      : {
          length: entry.length,
          checksum: entry.checksum,
          terms: entry.terms.map((term) => lexeme(indexTerm(number, term))).join(" "),
        };
  return rowText({ id, at, actor, ...searched, ...named(columns, keys) }, data);
}
