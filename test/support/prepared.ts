import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import {
  createSqliteDatabase,
  createTestDatabase,
  type DatabaseEngine,
  type TestDatabase,
} from "./postgres.ts";

/** A database that a worker has made once, with what its maker returned. */
export interface PreparedDatabase<Made> {
  readonly made: Made;
  /** Makes a copy, which takes a tenth of the time of the tables. */
  copy(): Promise<TestDatabase>;
}

/**
 * Makes a database of each engine once for a worker, when a test first asks for it; an empty one is
 * what it begins with, unless `begin` makes another.
 */
export function preparedDatabases<Made>(
  make: (database: TestDatabase) => Promise<Made>,
  begin = createEmpty,
): (engine: DatabaseEngine) => Promise<PreparedDatabase<Made>> {
  const prepared = new Map<DatabaseEngine, Promise<PreparedDatabase<Made>>>();
  const prepare = async (engine: DatabaseEngine): Promise<PreparedDatabase<Made>> => {
    const database = await begin(engine);
    if (engine === "postgresql") {
      const made = await make(database);
      const template = new URL(database.url).pathname.slice(1);
      return { made, copy: () => createTestDatabase({ template }) };
    }
    const made = await make(database);
    const bytes = await readFile(pathOf(database));
    return {
      made,
      async copy() {
        const copied = await createSqliteDatabase();
        await writeFile(pathOf(copied), bytes, { mode: 0o600 });
        return copied;
      },
    };
  };
  return async (engine) => {
    const found = prepared.get(engine) ?? prepare(engine);
    prepared.set(engine, found);
    return found;
  };
}

async function createEmpty(engine: DatabaseEngine): Promise<TestDatabase> {
  return engine === "postgresql" ? createTestDatabase() : createSqliteDatabase();
}

/** A new database with the platform's tables and no rows of workspaces. */
export async function createPlatformTables(engine: DatabaseEngine): Promise<TestDatabase> {
  return (await emptyTables(engine)).copy();
}

const emptyTables = preparedDatabases(async ({ url }) => {
  const database = await openPlatformDatabase({ url, poolSize: 1 });
  await database.close();
});

/** The files of a folder, kept in memory, so that nothing is left after a run. */
export async function keptFolder(folder: string): Promise<(target: string) => Promise<void>> {
  const names = await readdir(folder, { recursive: true });
  const entries = await Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(folder, name);
      const { mode, isFile } = await kindOf(path);
      return { name, mode, bytes: isFile ? await readFile(path) : undefined };
    }),
  );
  return async (target) => {
    for (const { name, mode, bytes } of entries) {
      const path = join(target, name);
      await mkdir(bytes === undefined ? path : dirname(path), { recursive: true, mode: 0o700 });
      if (bytes !== undefined) await writeFile(path, bytes, { mode });
    }
  };
}

async function kindOf(path: string): Promise<{ mode: number; isFile: boolean }> {
  const stats = await stat(path);
  return { mode: stats.mode, isFile: stats.isFile() };
}

function pathOf({ path }: TestDatabase): string {
  if (path === undefined) throw new Error("an SQLite database has a path");
  return path;
}
