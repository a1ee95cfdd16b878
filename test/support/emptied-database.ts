import { SQL } from "bun";

/** The tables of the platform with a page for rows. */
const usedTables = `select quote_ident(relname) as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and relname <> 'svc_migrations' and pg_relation_size(oid) > 0
  order by relname`;

export interface EmptiedDatabase {
  /** Gives the database the rows that it had at first. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Remembers the rows of a new PostgreSQL database, so that a later test can have it as it was. To
 * open another one takes five connections, each of which reads the catalog and plans again.
 */
export async function rememberRows(url: string): Promise<EmptiedDatabase> {
  // A replica checks no keys: the tables have no order.
  const sql = new SQL(url, { max: 1, connection: { session_replication_role: "replica" } });
  const used = async (): Promise<string[]> => {
    const tables = await sql.unsafe<{ name: string }[]>(usedTables);
    return tables.map(({ name }) => name);
  };
  const first = new Map<string, string>();
  for (const name of await used()) {
    const [found] = await sql.unsafe<{ rows: string | null }[]>(
      `select json_agg(each)::text as rows from ${name} as each`,
    );
    if (typeof found?.rows === "string") first.set(name, found.rows);
  }
  return {
    async empty() {
      const statements = (await used()).flatMap((name) => {
        const rows = first.get(name);
        if (rows === undefined) return [`delete from ${name}`];
        const text = `'${rows.replaceAll("'", "''")}'`;
        const insert = `insert into ${name} select * from json_populate_recordset(null::${name}, ${text})`;
        return [`delete from ${name}`, insert];
      });
      await sql.unsafe(`begin; ${statements.join("; ")}; commit`);
    },
    close: () => sql.close({ timeout: 1 }),
  };
}
