import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres, startPostgres } from "../../postgres.ts";

export interface DrillPlace {
  readonly name: string;
  /** Folder of its data, and home of its processes. */
  readonly directory: string;
  /** Where `initdb` and `postgres` are; undefined for SQLite. */
  readonly postgres?: string | undefined;
}

/** Runs `work` with the arguments that make a platform use a database of the place. */
export async function overDatabase<Result>(
  { postgres }: DrillPlace,
  work: (args: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (postgres === undefined) return work([]);
  const cluster = await startPostgres(postgres, { isDurable: true });
  try {
    return await work([`--database-url=${await cluster.createDatabase("drill")}`]);
  } finally {
    await cluster.stop();
  }
}

/** A folder for the runs on an engine; undefined if the engine is not installed. */
export async function enginePlace(
  directory: string,
  engine: string,
): Promise<DrillPlace | undefined> {
  const place = {
    name: engine === "sqlite" ? "SQLite" : "PostgreSQL",
    directory: join(directory, engine),
  };
  await mkdir(place.directory, { recursive: true });
  if (engine === "sqlite") return place;
  const postgres = engine === "postgresql" ? await findPostgres() : undefined;
  return postgres === undefined ? undefined : { ...place, postgres };
}
