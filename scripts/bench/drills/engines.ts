import { startPostgres } from "../../postgres.ts";

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
