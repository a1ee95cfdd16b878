import type { Dialect } from "../../database/database.ts";
import { identifier, raw, type Statement } from "../../database/statement.ts";
import { forgetLater, laterParts, noteLater, type LaterPart } from "./move-state.ts";
import type { Side } from "./side.ts";
import type { MovedTable } from "./tables.ts";

/** The index by which a move reads and removes passages on SQLite. */
const keptIndex = "document_chunks_by_place";

/**
 * Returns statements that remove the indexes and foreign keys of an empty target, and note them:
 * rows are copied several times as fast without them, and in any order. Primary keys stay.
 */
export async function removalOfParts(
  target: Side,
  tables: readonly MovedTable[],
  at: string,
): Promise<Statement[]> {
  const moved = new Set(tables.map(({ name }) => name));
  const found = await target.reader.all<FoundPart>(raw(partsOf[target.dialect]));
  const parts = found.filter(({ name, table }) => moved.has(table) && name !== keptIndex);
  return parts.flatMap(({ name, kind, definition, drop }) => [
    noteLater({ name, kind, definition }, at),
    raw(drop),
  ]);
}

/** Makes removed parts of these kinds again, one after the other, and forgets them. */
export async function makeLaterParts(
  target: Side,
  kinds: readonly LaterPart["kind"][],
): Promise<void> {
  for (const part of await laterParts(target.reader)) {
    if (!kinds.includes(part.kind)) continue;
    await target.transaction([raw(part.definition), forgetLater(part)]);
  }
}

interface FoundPart extends LaterPart {
  readonly table: string;
  readonly drop: string;
}

const partsOf: Readonly<Record<Dialect, string>> = {
  sqlite: `select name, tbl_name as "table", sql as definition, 'drop index ' || name as "drop",
      case when sql like 'create unique%' then 'rule' else 'index' end as kind
    from sqlite_master where type = 'index' and sql is not null`,
  postgresql: `select indexes.relname::text as name, tables.relname::text as "table",
      pg_get_indexdef(indexrelid) as definition, 'drop index ' || quote_ident(indexes.relname) as "drop",
      case when indisunique then 'rule' else 'index' end as kind
    from pg_index join pg_class as indexes on indexes.oid = indexrelid
      join pg_class as tables on tables.oid = indrelid
    where tables.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_constraint where conindid = indexrelid and contype <> 'f')
    union all
    select 'key ' || conname, tables.relname,
      format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid)),
      format('alter table %I drop constraint %I', relname, conname), 'rule'
    from pg_constraint join pg_class as tables on tables.oid = conrelid
    where contype = 'f' and tables.relnamespace = current_schema()::regnamespace
    order by 1`,
};

/** The statistics that PostgreSQL needs for good plans. */
export async function analyzeTables(target: Side, tables: readonly MovedTable[]): Promise<void> {
  if (target.dialect === "sqlite") return;
  for (const { name } of tables)
    await target.run(raw(`analyze ${identifier(name).strings.join("")}`));
}
