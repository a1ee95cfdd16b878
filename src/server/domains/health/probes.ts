import { join, raw, statement } from "../../database/statement.ts";
import type { Work } from "../../work/work.ts";
import { keepText } from "../secrets/service.ts";

/** The name of the row that a probe of writes changes. */
const probeName = "health probe";

/**
 * Reads as requests do: the first row of each table, with the role and the scope of requests. A
 * missing or damaged table, a wrong `search_path` and refused rights fail it.
 */
export class ReadProbe {
  #tables: readonly string[] | undefined;

  constructor(private readonly work: Pick<Work, "read">) {}

  /** Notes the tables that must exist. Call it at the start, when all of them do. */
  async learn(): Promise<void> {
    const { read } = this.work;
    const tables = read.dialect === "sqlite" ? sqliteTables : postgresqlTables;
    const rows = await read.all<{ name: string }>(tables);
    this.#tables = rows.map(({ name }) => name);
  }

  async run(): Promise<void> {
    if (this.#tables === undefined) await this.learn();
    const counts = (this.#tables ?? []).map((name) =>
      raw(`(select count(*) from (select 1 as one from ${name} limit 1) as rows)`),
    );
    await this.work.read.first(statement`select ${join(counts, " + ")} as tables`);
  }
}

const sqliteTables = raw(
  `select '"' || name || '"' as name from pragma_table_list
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite_%'`,
);
const postgresqlTables = raw(
  `select quote_ident(relname) as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
);

/** Larger than what a full disk still takes in pages that exist. */
const roomBytes = 1024 * 1024;

/**
 * Commits a small change, as a request that writes does. `findsRoom` makes it large first, after a
 * write that failed: a small one may still fit.
 */
export async function probeWrites(
  work: Pick<Work, "write">,
  now: Date,
  { findsRoom }: { readonly findsRoom: boolean },
): Promise<void> {
  const at = now.toISOString();
  if (findsRoom) await work.write((tx) => keepText(tx, probeName, "-".repeat(roomBytes), at));
  await work.write((tx) => keepText(tx, probeName, at, at));
}
