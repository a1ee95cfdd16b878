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

/** A disk with less room may be full before the next commit. */
const enoughBytes = 64 * 1024 * 1024;
const commitGoodForMs = 5 * 60_000;

/**
 * Writes as requests do. A probe commits a changed text on a server, on a disk with little room,
 * and every five minutes. Otherwise it writes the stored text again, for which SQLite changes no
 * page: a monitored platform that is idle would copy a piece of its log for each change.
 */
export class WriteProbe {
  #stored: { readonly text: string; readonly ms: number } | undefined;

  constructor(
    private readonly work: Pick<Work, "write">,
    private readonly now: () => Date,
    /** The room on the disk of the database; undefined for one on a server. */
    private readonly freeBytes: (() => Promise<number>) | undefined,
  ) {}

  /** `findsRoom` makes the change large first, after a write that failed: a small one may fit. */
  async run({ findsRoom }: { readonly findsRoom: boolean }): Promise<void> {
    const at = this.now();
    const write = (text: string): Promise<void> =>
      this.work.write((tx) => keepText(tx, probeName, text, at.toISOString()));
    const stored = this.#stored;
    const isRecent = stored !== undefined && at.getTime() - stored.ms < commitGoodForMs;
    if (!findsRoom && isRecent && ((await this.freeBytes?.()) ?? 0) >= enoughBytes) {
      await write(stored.text);
      return;
    }
    if (findsRoom) await write("-".repeat(roomBytes));
    const text = at.toISOString();
    await write(text);
    this.#stored = { text, ms: at.getTime() };
  }
}
