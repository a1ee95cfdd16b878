import { mkdirSync, openSync, closeSync, fsyncSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SqliteConnection } from "./sqlite-connection.ts";

const keptCopies = 5;

/**
 * Copies the database to a file named after the next migration and the time, and returns its path.
 * The copy is consistent and on the disk. Takes about 3 s per GiB.
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
  // Created first, with its mode: the copy has the platform's keys.
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
