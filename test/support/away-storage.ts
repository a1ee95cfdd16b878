import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { eventually } from "./eventually.ts";
import type { TestPlatform } from "./platform.ts";

/** Makes every statement of a running platform fail, until `comeBack`. */
export interface AwayStorage {
  comeBack(): Promise<void>;
}

/**
 * Takes the tables of an SQLite database away; ends all sessions of a PostgreSQL database and
 * refuses new ones, as a stopped server does.
 */
export function takeStorageAway(the: TestPlatform): Promise<AwayStorage> {
  return the.engine === "sqlite" ? hideTables(the.databaseUrl) : refuseSessions(the.databaseUrl);
}

const hidden = "hidden_";

async function hideTables(url: string): Promise<AwayStorage> {
  const rename = (from: (name: string) => boolean, to: (name: string) => string): void => {
    using database = new Database(url.replace(/^sqlite:/, ""));
    database.run("pragma legacy_alter_table = on");
    const tables = database
      .query<{ name: string }, []>(
        "select name from pragma_table_list where schema = 'main' and type = 'table'",
      )
      .all();
    const renameAll = database.transaction(() => {
      for (const { name } of tables) {
        if (name.startsWith("sqlite_") || !from(name)) continue;
        database.run(`alter table "${name}" rename to "${to(name)}"`);
      }
    });
    renameAll.immediate();
  };
  // The platform of this process can end its own transaction only between two tries.
  await eventually(async () =>
    rename(
      (name) => !name.startsWith(hidden),
      (name) => hidden + name,
    ),
  );
  return {
    comeBack: () =>
      eventually(async () =>
        rename(
          (name) => name.startsWith(hidden),
          (name) => name.slice(hidden.length),
        ),
      ),
  };
}

async function refuseSessions(url: string): Promise<AwayStorage> {
  const name = new URL(url).pathname.slice(1);
  const administrated = new URL(url);
  administrated.pathname = "/postgres";
  const run = async (...texts: readonly string[]): Promise<void> => {
    const administrator = new SQL(administrated.href, { max: 1 });
    try {
      for (const text of texts) await administrator.unsafe(text);
    } finally {
      await administrator.close();
    }
  };
  await run(
    `alter database "${name}" allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  return { comeBack: () => run(`alter database "${name}" allow_connections true`) };
}
