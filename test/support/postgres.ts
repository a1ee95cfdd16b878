import { join } from "node:path";
import { inject } from "vitest";
import { describeNeeding } from "./needs.ts";
import { askRun } from "./run.ts";
import { temporaryDirectory } from "./temporary.ts";

/** An empty database for one test file. */
export interface TestDatabase {
  readonly engine: DatabaseEngine;
  /** `postgres://user:password@127.0.0.1:port/name`, or `sqlite:` and the path of a new file. */
  readonly url: string;
  /** The file of an SQLite database, in a new directory. */
  readonly path: string | undefined;
  drop(): Promise<void>;
}

export type DatabaseEngine = "sqlite" | "postgresql";

/** Why no PostgreSQL database can be had here; `undefined` when one can. */
export const missingPostgres: string | undefined = inject("postgresInstalled")
  ? undefined
  : "needs a PostgreSQL server; `npm test` installs it when run as root on Debian";

/**
 * Both engines, one after the other, for the same tests: what holds on one must hold on
 * the other. `create` makes an empty database; drop it in `afterAll`.
 */
export function describeEachDatabase(
  name: string,
  body: (database: { engine: DatabaseEngine; create: () => Promise<TestDatabase> }) => void,
): void {
  describeNeeding(`${name} on sqlite`, undefined, () =>
    body({ engine: "sqlite", create: createSqliteDatabase }),
  );
  describeNeeding(`${name} on postgresql`, missingPostgres, () =>
    body({ engine: "postgresql", create: createTestDatabase }),
  );
}

/**
 * An empty PostgreSQL database on the run's own cluster, which the first call starts; a copy of
 * the database that `template` names.
 */
export async function createTestDatabase({
  template,
}: { readonly template?: string } = {}): Promise<TestDatabase> {
  const query = template === undefined ? "" : `?template=${template}`;
  const { name, url } = await askRun("POST", `/databases${query}`);
  return {
    engine: "postgresql",
    url: String(url),
    path: undefined,
    drop: async () => void (await askRun("DELETE", `/databases/${String(name)}`)),
  };
}

/** The path of an SQLite file that does not exist yet, in a directory that goes with the test. */
export async function createSqliteDatabase(): Promise<TestDatabase> {
  const path = join(await temporaryDirectory("sqlite"), "test.sqlite");
  return { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} };
}
