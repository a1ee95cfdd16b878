import { mkdirSync, openSync, closeSync, fsyncSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SqliteConnection } from "./connection.ts";

/** Copies kept from before migrations; older ones are removed. */
const keptCopies = 5;

/**
 * A whole, consistent copy of the database, on the disk before this returns. Takes about 3 s a GiB.
 * The file's name says which migration came next and when. Returns its path.
 */
export function copyBeforeMigration(
  connection: SqliteConnection,
  directory: string,
  nextMigration: string,
  now: Date,
): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const time = now.toISOString().replaceAll(/[-:.]/g, "");
  const path = join(directory, `before-${nextMigration}-${time}.db`);
  // Made first, so that nobody else may read it at any moment: it holds the platform's keys.
  const file = openSync(path, "wx+", 0o600);
  try {
    connection.run("vacuum into ?", [path]);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  const older = readdirSync(directory)
    .filter((name) => /^before-.+-(\d{8}T\d+Z)\.db$/.test(name))
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .slice(0, -keptCopies);
  for (const name of older) rmSync(join(directory, name), { force: true });
  return path;
}

function timeOf(name: string): string {
  return name.slice(name.lastIndexOf("-"));
}
