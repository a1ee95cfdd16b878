import { SchemaMismatchError } from "../kit/storage-errors.ts";
import { columnType, type Migration, type MigrationContext } from "./migration.ts";
import { ExecutingReader, type Execute } from "./reader.ts";
import { statement, type Dialect } from "./statement.ts";

export function migrationContext(dialect: Dialect, execute: Execute): MigrationContext {
  const reader = new ExecutingReader(dialect, execute);
  return {
    dialect,
    run: async (each) => void (await reader.all(each)),
    all: (each) => reader.all(each),
  };
}

/** A migration that a database has. */
export interface AppliedMigration {
  readonly name: string;
  /** A build that has this migration may use the database; null if each must know `name`. */
  readonly needs: string | null;
}

/**
 * The migrations after those in `applied`, which must be the beginning of the list. A newer build
 * may have applied further ones, if this build has what they need.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  applied.forEach(({ name, needs }, index) => {
    const expected = migrations[index]?.name;
    if (name === expected) return;
    if (expected !== undefined) {
      throw new SchemaMismatchError(
        `Cannot open this database: it has migration "${name}" instead of "${expected}"`,
      );
    }
    if (needs !== null && known.has(needs)) return;
    const lacking = needs === null ? "" : `, which needs a build with "${needs}"`;
    throw new SchemaMismatchError(
      `Cannot open this database: a newer svc made it (it has migration "${name}"${lacking})`,
    );
  });
  return migrations.slice(applied.length);
}

export async function appliedMigrations(context: MigrationContext): Promise<AppliedMigration[]> {
  await context.run(statement`create table if not exists svc_migrations (
    name ${columnType.text} primary key,
    applied_at ${columnType.text} not null
  )`);
  // The first migration that needs less than itself adds the column.
  const rows = await context.all<{ name: string; needs?: string | null }>(
    statement`select * from svc_migrations order by name`,
  );
  return rows.map(({ name, needs }) => ({ name, needs: needs ?? null }));
}

/** Runs what is pending in the caller's transaction, under its lock. Returns the names. */
export async function runMigrations(
  context: MigrationContext,
  migrations: readonly Migration[],
  now: () => Date,
): Promise<string[]> {
  const pending = pendingMigrations(migrations, await appliedMigrations(context));
  for (const migration of pending) {
    const { name, needs } = migration;
    await migration.up(context);
    await context.run(statement`insert into svc_migrations (name, applied_at)
      values (${name}, ${now().toISOString()})`);
    if (needs === undefined) continue;
    await addNeeds(context);
    await context.run(statement`update svc_migrations set needs = ${needs} where name = ${name}`);
  }
  return pending.map((migration) => migration.name);
}

async function addNeeds({ run, all }: MigrationContext): Promise<void> {
  const [row = {}] = await all<object>(statement`select * from svc_migrations limit 1`);
  if ("needs" in row) return;
  await run(statement`alter table svc_migrations add column needs ${columnType.text}`);
}
