import { SchemaMismatchError } from "./errors.ts";
import type { Migration, MigrationContext } from "./migration.ts";
import { columnType } from "./migration.ts";
import { statement } from "./statement.ts";

export interface MigrationRun {
  readonly migrations: readonly Migration[];
  /** Inside the one transaction that all pending migrations share. */
  readonly context: MigrationContext;
  readonly now: () => Date;
}

/** The names in `applied`, checked to be the beginning of our list; returns what is still to do. */
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
        : `Cannot open this database: its migration "${name}" stands where "${expected}" belongs`,
    );
  });
  return migrations.slice(applied.length);
}

/** The names of the migrations that ran here, in their order. */
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

/** Runs what is pending; the caller holds the lock and commits. Returns the names that ran. */
export async function runMigrations({ migrations, context, now }: MigrationRun): Promise<string[]> {
  const pending = pendingMigrations(migrations, await appliedMigrations(context));
  for (const migration of pending) {
    await migration.up(context);
    await context.run(statement`insert into svc_migrations (name, applied_at)
      values (${migration.name}, ${now().toISOString()})`);
  }
  return pending.map((migration) => migration.name);
}
