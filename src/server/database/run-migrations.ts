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

/** The migrations after those in `applied`, which must be the beginning of the list. */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] {
  applied.forEach((name, index) => {
    const expected = migrations[index]?.name;
    if (name === expected) return;
    throw new SchemaMismatchError(
      expected === undefined
        ? `Cannot open this database: a newer svc made it (it has migration "${name}")`
        : `Cannot open this database: it has migration "${name}" instead of "${expected}"`,
    );
  });
  return migrations.slice(applied.length);
}

export async function appliedMigrations(context: MigrationContext): Promise<string[]> {
  await context.run(statement`create table if not exists svc_migrations (
    name ${columnType.text} primary key,
    applied_at ${columnType.text} not null
  )`);
  const rows = await context.all<{ name: string }>(
    statement`select name from svc_migrations order by name`,
  );
  return rows.map((row) => row.name);
}

/** Runs what is pending in the caller's transaction, under its lock. Returns the names. */
export async function runMigrations(
  context: MigrationContext,
  migrations: readonly Migration[],
  now: () => Date,
): Promise<string[]> {
  const pending = pendingMigrations(migrations, await appliedMigrations(context));
  for (const migration of pending) {
    await migration.up(context);
    await context.run(statement`insert into svc_migrations (name, applied_at)
      values (${migration.name}, ${now().toISOString()})`);
  }
  return pending.map((migration) => migration.name);
}
