import { SQL } from "bun";
import { expect, test } from "vitest";
import { identifier, raw, statement, type Statement } from "#server/database/statement.ts";
import type { DatabaseView } from "#server/database/database.ts";
import type { Scope } from "#server/kit/scope.ts";
import { workspaceTables } from "#server/domains/purges/tables.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";

const a = "0199a000-0000-7000-8000-00000000000a";
const b = "0199a000-0000-7000-8000-00000000000b";

const scopeOf = (workspace: string): Scope => ({ workspaces: [workspace], caller: "" });

const separate = ["resources", "object_types", "document_chunks"].map((name) => ({ name }));

async function tableNames(database: WholeDatabase): Promise<string[]> {
  const tables = [...(await workspaceTables(database.read)), ...separate];
  return tables.map(({ name }) => name).toSorted();
}

/** A row of each of the two workspaces in every table, without the checks of foreign keys. */
async function fill(url: string, tables: readonly string[]): Promise<void> {
  const sql = new SQL(url, { max: 1, connection: { session_replication_role: "replica" } });
  try {
    for (const table of tables) {
      const columns = await sql<{ name: string; type: string }[]>`
        select column_name as name, data_type as type from information_schema.columns
        where table_name = ${table} and (is_nullable = 'NO' or column_name = 'workspace_id')`;
      for (const workspace of [a, b]) {
        const values = columns.map(({ name, type }) => {
          if (name === "workspace_id") return workspace;
          if (type === "jsonb") return "{}";
          if (type === "tsvector") return "'word'";
          if (type === "box") return "(1,1),(1,1)";
          return type === "text" ? `x${workspace.at(-1)}` : workspace === a ? "1" : "2";
        });
        const names = columns.map(({ name }) => `"${name}"`).join(", ");
        const given = columns.map(({ type }, at) => `$${at + 1}::text::${type}`).join(", ");
        await sql.unsafe(`insert into "${table}" (${names}) values (${given})`, values);
      }
    }
  } finally {
    await sql.close();
  }
}

const idsIn = async (database: Pick<DatabaseView, "read">, table: string): Promise<string[]> => {
  const rows = await database.read.all<{ workspace_id: string }>(
    statement`select workspace_id from ${identifier(table)} order by workspace_id`,
  );
  return rows.map((row) => row.workspace_id);
};

describeOnEachDatabase("row-level security", (open, { engine, create, createTables }) => {
  test.runIf(engine === "postgresql")("every table of workspaces has a policy", async () => {
    const database = await open();
    const rows = await database.read.all<{ tablename: string }>(
      raw("select tablename from pg_policies where schemaname = current_schema()"),
    );
    const secured = new Set(rows.map((row) => row.tablename));
    const tables = await tableNames(database);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((name) => !secured.has(name))).toEqual([]);
    const unsecured = await database.read.all(
      raw(`select relname from pg_class where relname = any (array['${tables.join("','")}'])
        and relnamespace = current_schema()::regnamespace and not relrowsecurity`),
    );
    expect(unsecured).toEqual([]);
  });

  test.runIf(engine === "postgresql")(
    "a statement without a condition reads the rows of its scope only",
    async () => {
      const { url } = await createTables();
      const database = await open({ url });
      const tables = [...(await tableNames(database))];
      await fill(url, tables);
      const views = ["searched_entries"];
      for (const table of [...tables, ...views]) {
        expect(await idsIn(database, table), table).toEqual([a, b]);
        const own = database.in(scopeOf(a));
        expect(await idsIn(own, table), table).toEqual([a]);
        const name = identifier(table);
        const scanned = await own.scan.all(statement`select workspace_id from ${name}`);
        expect(scanned, table).toEqual([{ workspace_id: a }]);
        const paged = await own.read.pages?.all(statement`select workspace_id from ${name}`);
        expect(paged, table).toEqual([{ workspace_id: a }]);
      }
      for (const table of tables) {
        const name = identifier(table);
        const { changedRows } = await database
          .in(scopeOf(a))
          .write((writer) => writer.run(statement`delete from ${name}`));
        expect(changedRows, table).toBe(1);
        expect(await idsIn(database, table), table).toEqual([b]);
      }
    },
  );

  const ofCounters = (workspace: string): Statement =>
    statement`insert into document_counters (workspace_id, name, value)
      values (${workspace}, 'documents', 1)`;
  const ofFeed = (workspace: string): Statement =>
    statement`insert into change_batches (workspace_id, at, events) values (${workspace}, '', '[]')`;

  test.runIf(engine === "postgresql").each([
    { table: "document_counters", insert: ofCounters, others: [] },
    // Requests of a workspace also change what belongs to the installation.
    { table: "change_batches", insert: ofFeed, others: ["*"] },
  ])("a statement writes no row of another scope: $table", async ({ table, insert, others }) => {
    const database = await open();
    const write = (workspace: string): Promise<unknown> =>
      database.in(scopeOf(a)).write((writer) => writer.run(insert(workspace)));
    for (const own of [...others, a]) await write(own);
    await expect(write(b)).rejects.toThrow(/row-level security/);
    expect(await idsIn(database, table)).toEqual([...others, a]);
  });

  test("writes of several workspaces share a batch", async () => {
    const database = await open();
    const write = database.merged<string>({
      isMergeable: () => true,
      weight: () => 1,
      isOneStatement: () => false,
      async one(writer, workspace) {
        await writer.run(statement`insert into document_counters (workspace_id, name, value)
          values (${workspace}, 'documents', 1)`);
      },
      async all(writer, workspaces) {
        for (const each of workspaces) await this.one(writer, each);
        return workspaces.map(() => true);
      },
    });
    await Promise.all([a, b].map((each) => write(each, scopeOf(each))));
    expect(await idsIn(database, "document_counters")).toEqual([a, b]);
  });

  test.runIf(engine === "postgresql")("a connection without a scope reads no row", async () => {
    const { url } = await createTables();
    const database = await open({ url });
    await fill(url, ["jobs"]);
    expect(await idsIn(database, "jobs")).toEqual([a, b]);
    const sql = new SQL(url, { max: 1, connection: { role: "svc_application" } });
    try {
      expect(await sql`select * from jobs`).toHaveLength(0);
    } finally {
      await sql.close();
    }
  });

  test.runIf(engine === "postgresql")(
    "a start writes rights only where one is missing",
    async () => {
      const { url } = await createTables();
      const sql = new SQL(url, { max: 1 });
      const rightsAfterStart = async () => {
        await (await open({ url })).close();
        const [found] = await sql<{ version: string; may: boolean }[]>`select xmin::text as version,
        has_table_privilege('svc_application', oid, 'delete') as may
        from pg_class where oid = 'jobs'::regclass`;
        return found;
      };
      try {
        const first = await rightsAfterStart();
        expect(first).toMatchObject({ may: true });
        expect(await rightsAfterStart()).toEqual(first);
        await sql`revoke delete on jobs from svc_application`;
        expect(await rightsAfterStart()).toMatchObject({ may: true });
      } finally {
        await sql.close();
      }
    },
  );

  test.runIf(engine === "postgresql")("a role that owns its tables is under policies", async () => {
    const { url } = await create();
    const role = `svc_owner_${new URL(url).pathname.slice(1)}`;
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe(`create role ${role} login password 'owner' nosuperuser`);
    try {
      await sql.unsafe(`grant create, usage on schema public to ${role}`);
      const own = new URL(url);
      own.username = role;
      own.password = "owner";
      const database = await open({ url: own.href });
      expect(database.risks?.filter((risk) => risk.includes("row-level"))).toEqual([]);
      await fill(url, ["jobs", "resources"]);
      const ownRows = database.in(scopeOf(a));
      expect(await idsIn(ownRows, "jobs")).toEqual([a]);
      expect(await idsIn(ownRows, "resources")).toEqual([a]);
      expect(database.unsecured).toContain("grant svc_application to");
      await database.close();

      // A superuser's first start makes the role.
      await (await open()).close();
      await sql.unsafe(`grant svc_application to ${role}`);
      const secured = await open({ url: own.href });
      expect(secured.unsecured).toBeUndefined();
      const searched = ["search_entries"];
      await fill(url, searched);
      for (const table of ["jobs", "resources", ...searched]) {
        expect(await idsIn(secured.in(scopeOf(a)), table), table).toEqual([a]);
      }
      await secured.close();
    } finally {
      await sql.unsafe(`drop owned by ${role}`);
      await sql.unsafe(`drop role ${role}`);
      await sql.close();
    }
  });
});
