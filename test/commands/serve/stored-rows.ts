import { Database } from "bun:sqlite";

/**
 * A restored database begins another feed of changes, has no leases and keeps its files until the
 * doctor has run; all other rows are those of the backup.
 */
const feedTables = [
  "feed_epochs",
  "feed_floors",
  "feed_sizes",
  "change_batches",
  "sqlite_sequence",
];

/** The digest of each table's rows. */
export function rowsOf(path: string): Record<string, string> {
  using database = new Database(path, { readonly: true });
  const names = database
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !feedTables.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const digest = new Bun.CryptoHasher("sha256");
      const rows = database.query<Record<string, unknown>, []>(`select * from "${name}"`);
      for (const row of rows.iterate()) {
        if (name === "secrets" && row["name"] === "files held since a restore") continue;
        const leases = { lease_until: null, claimed_by: null, claimed_until: null };
        digest.update(JSON.stringify({ ...row, ...leases }));
      }
      return [name, digest.digest("hex")];
    }),
  );
}
