import type { Reader, Writer } from "../../database/database.ts";
import { SqliteConnection } from "../../database/sqlite/sqlite-connection.ts";
import { raw, render, statement, type Statement } from "../../database/statement.ts";
import { keepText, keptText } from "../../domains/secrets/service.ts";

/** The work that a restored database has dropped. */
export interface SettledRestore {
  /** Leases of jobs and endpoints of the platforms that were backed up. */
  readonly leases: number;
  /** Webhook deliveries that waited: receivers may have them already. */
  readonly deliveries: number;
  /** Mails with alerts that waited. */
  readonly mails: number;
}

const heldName = "files held since a restore";
const failedKeptMs = 30 * 24 * 60 * 60 * 1000;
const dropped = "dropped by the restore of a backup";

/** A restored database, whose schema may be that of an earlier build. */
export interface RestoredDatabase {
  hasTable(name: string): boolean;
  /** Runs a statement in the transaction of the settlement; returns the number of changed rows. */
  run(statement: Statement): Promise<number>;
}

/**
 * Prepares a restored database for its first start: no lease, no waiting delivery or mail, another
 * epoch of the feed, and no removal of files until the doctor has compared the file store with the
 * database. Call it in one transaction.
 */
export async function settleRestored(
  database: RestoredDatabase,
  now: Date,
): Promise<SettledRestore> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + failedKeptMs).toISOString();
  const run = async (table: string, change: Statement): Promise<number> =>
    database.hasTable(table) ? database.run(change) : 0;
  const jobs = await run(
    "jobs",
    raw(`update jobs set lease_until = null, claimed_by = null
    where lease_until is not null or claimed_by is not null`),
  );
  const endpoints = await run(
    "webhook_endpoints",
    raw(`update webhook_endpoints
    set lease_until = null where lease_until is not null`),
  );
  const deliveries = await run(
    "webhook_deliveries",
    statement`update webhook_deliveries
    set state = 'failed', error = ${dropped}, next_at = null, lease_until = null,
      expires_at = ${until} where state = 'pending'`,
  );
  const mails = await run(
    "alert_channels",
    raw(`update alert_channels
    set due_at = null, pending_from = null, pending_to = null where due_at is not null`),
  );
  await run(
    "blob_removals",
    raw(`update blob_removals
    set claimed_by = null, claimed_until = null where claimed_by is not null`),
  );
  for (const table of ["feed_epochs", "change_batches", "feed_floors", "feed_sizes"]) {
    await run(table, raw(`delete from ${table} where 1 = 1`));
  }
  await run(
    "secrets",
    statement`insert into secrets (name, value, created_at)
    values (${heldName}, ${at}, ${at}) on conflict (name) do update set value = excluded.value`,
  );
  return { leases: jobs + endpoints, deliveries, mails };
}

/** Settles the SQLite file of a restore, before a platform opens it. */
export async function settleSqlite(path: string, now: Date): Promise<SettledRestore> {
  const connection = new SqliteConnection(path, { readonly: false });
  try {
    // The feed has values of records, which may be erased next: nothing of them stays in the file.
    connection.execute("pragma secure_delete = on");
    const { rows } = connection.run("select name from sqlite_schema where type = 'table'", []);
    const tables = new Set(rows.map((row) => row["name"]));
    connection.execute("begin immediate");
    const settled = await settleRestored(
      {
        hasTable: (name) => tables.has(name),
        run: async (change) => {
          const { text, parameters } = render(change, "sqlite");
          return connection.run(text, parameters).changedRows;
        },
      },
      now,
    );
    connection.execute("commit");
    return settled;
  } finally {
    connection.close();
  }
}

/** The time of a restore since which no file is removed; undefined after the doctor's check. */
export async function filesHeldSince(reader: Reader): Promise<string | undefined> {
  const text = await keptText(reader, heldName);
  return text === "" ? undefined : text;
}

/** The sentence for the operator while no file is removed. */
export async function heldFilesWarning(reader: Reader): Promise<string | undefined> {
  const since = await filesHeldSince(reader);
  if (since === undefined) return undefined;
  return (
    `The data were restored at ${since}, and no file is removed: compare the file store with ` +
    "`svc serve doctor`, which ends this when no file is missing"
  );
}

/** Lets the platform remove files again. */
export async function releaseFiles(writer: Writer, now: Date): Promise<void> {
  await keepText(writer, heldName, "", now.toISOString());
}
