import type { Reader } from "../database.ts";
import { ExecutingReader } from "../reader.ts";
import { commonPragmas } from "./reads.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Runs `work` with a connection that sees one state of the database, while writes continue. The
 * write-ahead log keeps that state, and grows until the work ends.
 */
export async function inSnapshot<T>(
  path: string,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const connection = new SqliteConnection(path, { readonly: true });
  try {
    for (const pragma of [...commonPragmas, "query_only = on"]) {
      connection.execute(`pragma ${pragma}`);
    }
    connection.execute("begin");
    // The first statement that reads fixes the state.
    connection.run("select 1 from sqlite_schema limit 1", []);
    return await work(
      // A promise, so that other requests run between two statements.
      new ExecutingReader("sqlite", (text, parameters) =>
        Bun.sleep(0).then(() => connection.run(text, parameters)),
      ),
    );
  } finally {
    connection.close();
  }
}
