import { raw, type Dialect } from "#server/database/statement.ts";
import { type WholeDatabase } from "#test/support/databases.ts";

/** One table, column, index, constraint, trigger, policy or function of a database. */
interface CatalogEntry {
  /** The kind and the name, such as `column jobs.id`. */
  readonly name: string;
  readonly table: string;
  readonly definition: string;
  /** 1 if the entry may refuse a write that does not know it, else 0. */
  readonly refuses: number;
}

export type Catalog = ReadonlyMap<string, CatalogEntry>;

/** Everything that the numbered changes have made in a database. */
export async function catalogOf(database: WholeDatabase): Promise<Catalog> {
  const rows = await database.read.all<CatalogEntry>(raw(queries[database.dialect]));
  return new Map(rows.map((row) => [row.name, row]));
}

/** Entries that a change removed or changed, and new ones that may refuse a write of old builds. */
export function faultsOfChange(before: Catalog, after: Catalog): string[] {
  const changed = [...before.values()].flatMap(({ name, table, definition }) => {
    const now = after.get(name)?.definition;
    if (now === undefined) {
      return isBegunByAnother(definition, table, after) ? [] : [`${name} is gone`];
    }
    return now === definition || (name === `table ${table}` && isLonger(now, definition))
      ? []
      : [`${name} is now ${now}`];
  });
  const refusing = [...after.values()].filter(
    ({ name, table, refuses }) =>
      refuses === 1 && !before.has(name) && before.has(`table ${table}`),
  );
  return [
    ...changed,
    ...refusing.map(({ name }) => `${name} may refuse what the previous build writes`),
  ];
}

/** True for an index without a condition whose columns are the first ones of another index. */
function isBegunByAnother(definition: string, table: string, after: Catalog): boolean {
  const columns = indexColumns(definition);
  return [...after.values()].some((other) => {
    const isIndex = other.name.startsWith("index ") && other.table === table;
    return isIndex && columns !== "" && indexColumns(other.definition).startsWith(`${columns},`);
  });
}

/** The columns of a plain index, e.g. `workspace_id, number`; "" for any other definition. */
function indexColumns(definition: string): string {
  const plain = /^create index [^(]*\(([\w, ]+)\)$/.exec(definition.trim().toLowerCase());
  return plain?.[1]?.trim() ?? "";
}

/** SQLite writes new columns after the others of a table's definition, and keeps its other text. */
function isLonger(now: string, before: string): boolean {
  let same = 0;
  while (same < before.length && now[same] === before[same]) same += 1;
  return now.length > before.length && now.endsWith(before.slice(same));
}

const sqliteCatalog = `
  select 'table ' || name as name, name as "table", 0 as refuses, sql as definition
  from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
  union all
  select 'column ' || master.name || '.' || info.name, master.name,
    info."notnull" = 1 and info.dflt_value is null, lower(info.type) || ' ' || info."notnull"
  from sqlite_master as master, pragma_table_xinfo(master.name) as info
  where master.type = 'table'
  union all
  select type || ' ' || name, tbl_name, type = 'trigger' or sql like 'create unique%', lower(sql)
  from sqlite_master where type <> 'table' and sql is not null`;

const tables = `pg_class as t join pg_namespace as n
  on n.oid = t.relnamespace and n.nspname = 'public'`;

const postgresCatalog = `
  select 'table ' || relname as name, relname::text as "table", 0 as refuses,
    relkind::text as definition
  from ${tables} where relkind in ('r', 'p', 'v')
  union all
  select 'column ' || relname || '.' || attname, relname,
    (relkind = 'r' and attnotnull and not atthasdef)::int,
    format_type(atttypid, atttypmod) || ' ' || coalesce(collname, '') || ' ' || attnotnull
  from ${tables} join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped
    left join pg_collation on pg_collation.oid = attcollation where relkind in ('r', 'p', 'v')
  union all
  select 'index ' || indexrelid::regclass, relname, indisunique::int, pg_get_indexdef(indexrelid)
  from ${tables} join pg_index on indrelid = t.oid
  union all
  select 'constraint ' || conname, relname, 1, pg_get_constraintdef(pg_constraint.oid)
  from ${tables} join pg_constraint on conrelid = t.oid
  union all
  select 'trigger ' || tgname, relname, 1, pg_get_triggerdef(pg_trigger.oid)
  from ${tables} join pg_trigger on tgrelid = t.oid and not tgisinternal
  union all
  select 'policy ' || relname || '.' || polname, relname, 1,
    pg_get_expr(polqual, polrelid) || coalesce(pg_get_expr(polwithcheck, polrelid), '')
  from ${tables} join pg_policy on polrelid = t.oid
  union all
  select 'function ' || proname, '', 0, pg_get_functiondef(pg_proc.oid)
  from pg_proc join pg_namespace as n on n.oid = pronamespace and n.nspname = 'public'
  where prokind = 'f'`;

const queries: Readonly<Record<Dialect, string>> = {
  sqlite: sqliteCatalog,
  postgresql: postgresCatalog,
};
