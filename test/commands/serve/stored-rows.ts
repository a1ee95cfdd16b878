import { Database } from "bun:sqlite";

/** A restored database begins another feed of changes; all other rows are those of the backup. */
const feedTables = ["feed_epochs", "feed_floors", "change_batches", "sqlite_sequence"];

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
      for (const row of database.query(`select * from "${name}"`).iterate()) {
        digest.update(JSON.stringify(row));
      }
      return [name, digest.digest("hex")];
    }),
  );
}
