import { SQL } from "bun";

/** The tables of the platform with a page for rows. */
const usedTables = `select quote_ident(relname) as name, pg_relation_size(oid)::int as bytes
  from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and relname <> 'svc_migrations' and pg_relation_size(oid) > 0
  order by relname`;

/** Each definition, policy and setting of the database, and whether its tables were analyzed. */
const definitions = `select md5(concat(
    (select string_agg(concat(oid, '.', xmin, '.', reltuples >= 0), ' ' order by oid)
      from pg_class where relnamespace = current_schema()::regnamespace and relkind <> 'S'),
    (select string_agg(concat(oid, '.', xmin), ' ' order by oid) from pg_policy),
    (select string_agg(concat(oid, '.', xmin), ' ' order by oid) from pg_attrdef),
    (select string_agg(concat(oid, '.', xmin), ' ' order by oid) from pg_trigger),
    (select string_agg(concat(oid, '.', xmin), ' ' order by oid) from pg_constraint
      where connamespace = current_schema()::regnamespace),
    (select string_agg(concat(oid, '.', xmin), ' ' order by oid) from pg_proc
      where pronamespace = current_schema()::regnamespace),
    (select string_agg(concat(setrole, '.', xmin), ' ' order by setrole) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database()))
  )) as text,
  (select count(*)::int from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as active`;

/** The statements that give rows the numbers which they would have got at first. */
const numbering = `select format('select setval(%L, %s, %L)', format('%I', sequencename),
    coalesce(last_value, start_value), last_value is not null) as text
  from pg_sequences where schemaname = current_schema()`;

/** A table of more bytes, with rows of long lists, costs more to read again than a new one. */
const bytesAtMost = 4 * 1024 ** 2;

export interface EmptiedDatabase {
  /**
   * Gives the database the rows that it had at first. False where something else has changed, or
   * is at work: then it must not be used again.
   */
  empty(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Remembers the rows of a new PostgreSQL database, so that a later test can have it as it was. To
 * open another one takes five connections, each of which reads the catalog and plans again.
 */
export async function rememberRows(url: string): Promise<EmptiedDatabase> {
  // A replica checks no keys: the tables have no order.
  const sql = new SQL(url, { max: 1, connection: { session_replication_role: "replica" } });
  const used = (): Promise<{ name: string; bytes: number }[]> => sql.unsafe(usedTables);
  const state = async (): Promise<{ text: string; active: number }> => {
    const [found] = await sql.unsafe<{ text: string; active: number }[]>(definitions);
    return found ?? { text: "", active: 0 };
  };
  const { text } = await state();
  const numbers = await sql.unsafe<{ text: string }[]>(numbering);
  const first = new Map<string, string>();
  for (const { name } of await used()) {
    const [found] = await sql.unsafe<{ rows: string | null }[]>(
      `select json_agg(each)::text as rows from ${name} as each`,
    );
    if (typeof found?.rows === "string") first.set(name, found.rows);
  }
  return {
    async empty() {
      const now = await state();
      if (now.text !== text || now.active > 0) return false;
      const tables = await used();
      if (tables.some(({ bytes }) => bytes > bytesAtMost)) return false;
      const statements = tables.flatMap(({ name }) => {
        const rows = first.get(name);
        if (rows === undefined) return [`delete from ${name}`];
        const text = `'${rows.replaceAll("'", "''")}'`;
        const insert = `insert into ${name} select * from json_populate_recordset(null::${name}, ${text})`;
        return [`delete from ${name}`, insert];
      });
      statements.push(...numbers.map((each) => each.text));
      await sql.unsafe(`begin; ${statements.join("; ")}; commit`);
      return true;
    },
    close: () => sql.close({ timeout: 1 }),
  };
}
