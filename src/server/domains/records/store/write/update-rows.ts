import type { Writer } from "../../../../database/database.ts";
import { isOneOf, lexeme } from "../../../../database/dialect.ts";
import { raw, statement } from "../../../../database/statement.ts";
import type { RecordType } from "../records.ts";
import type { RecordChange } from "./write-records.ts";
import { declared, isCurrent, listed, named, rowText } from "./rows-text.ts";
import { indexTerm } from "../search/entries.ts";

/**
 * PostgreSQL: next versions of records of one type, each of another, with their histories and search
 * entries, all in one statement; the ids of those that were written. What is left out is another
 * version by now, or all are, when the type has changed meanwhile.
 */
export async function updateRows(
  writer: Writer,
  type: RecordType,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<string>> {
  const { workspaceId, number, columns } = type;
  const rows = changes.map((change) => nextRowText(type, change));
  const ids = changes.map(({ record }) => record.id);
  const made = await writer.all<{ id: string }>(statement`with given as materialized (
      select * from jsonb_to_recordset(${`[${rows.join()}]`}::text::jsonb)
        as row(id text, version bigint, at text, actor text, operation text, data jsonb,
          changes jsonb, length bigint, checksum bigint, terms text${listed(columns, declared)})
    ), made as (
      update resources set version = given.version, data = given.data, updated_at = given.at,
        updated_by = given.actor${listed(columns, ({ column }) => `${column} = given.${column}`)}
      from given
      where resources.workspace_id = ${workspaceId} and resources.type_number = ${number}
        and ${isOneOf(raw("resources.id"), ids)}
        and resources.id = given.id and resources.version = given.version - 1
        and ${isCurrent(type)}
      returning resources.id
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor, changes)
      select ${workspaceId}::text, id, version, ${number}::bigint, operation, at, actor, changes
      from made join given using (id)
    ), searched as (
      insert into resource_search
        (workspace_id, type_number, resource_id, length, checksum, terms)
      select ${workspaceId}::text, ${number}::bigint, id, length, checksum, terms::tsvector
      from made join given using (id) where terms <> ''
      on conflict (workspace_id, type_number, resource_id) do update
        set length = excluded.length, checksum = excluded.checksum, terms = excluded.terms
    ), emptied as (
      delete from resource_search
      where workspace_id = ${workspaceId} and type_number = ${number}
        and resource_id = any (array(select id from made join given using (id) where terms = ''))
    )
    select id from made`);
  return new Set(made.map(({ id }) => id));
}

/** Without terms for what is searched as before; with none for what is not searched any more. */
function nextRowText(
  { number, columns }: RecordType,
  { record, keys, entry, changes, operation = "update" }: RecordChange,
): string {
  const { id, version, updated_at: at, updated_by: actor, data } = record;
  const searched = entry && {
    length: entry.length,
    checksum: entry.checksum,
    terms: entry.terms.map((term) => lexeme(indexTerm(number, term))).join(" "),
  };
  return rowText(
    { id, version, at, actor, operation, changes, ...searched, ...named(columns, keys) },
    data,
  );
}
