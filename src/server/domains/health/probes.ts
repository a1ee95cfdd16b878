import { join, raw, statement } from "../../database/statement.ts";
import { DatabaseFaultError } from "../../kit/storage-errors.ts";
import { lostTables, tablesOf } from "../../schema/tables.ts";
import type { Work } from "../../work/work.ts";
import { keepText } from "../secrets/service.ts";

/** The name of the row that a probe of writes changes. */
const probeName = "health probe";

/**
 * Reads as requests do: the first row of each table, with the role and the scope of requests. A
 * missing or damaged table, a wrong `search_path` and refused rights fail it.
 */
export class ReadProbe {
  readonly #tables: readonly string[];

  constructor(private readonly work: Pick<Work, "read">) {
    this.#tables = tablesOf(work.read.dialect);
  }

  /** Throws an error that names the tables that are gone. */
  async run(): Promise<void> {
    const counts = this.#tables.map((name) =>
      raw(`(select count(*) from (select 1 as one from "${name}" limit 1) as rows)`),
    );
    try {
      await this.work.read.first(statement`select ${join(counts, " + ")} as tables`);
    } catch (error) {
      if (error instanceof DatabaseFaultError) throw (await this.#lost(error)) ?? error;
      throw error;
    }
  }

  async #lost(cause: DatabaseFaultError): Promise<DatabaseFaultError | undefined> {
    const { read } = this.work;
    const lost = await lostTables(read).catch(() => []);
    if (lost.length === 0) return undefined;
    const isAll = lost.length === this.#tables.length;
    const step =
      isAll && read.dialect === "postgresql"
        ? "check the search_path of its role and its database, or restore a backup"
        : "restore a backup";
    const what = isAll ? "all of its tables" : listed(lost);
    return new DatabaseFaultError(cause.message, `has lost ${what}: ${step}`, { cause });
  }
}

const namesAtMost = 5;

function listed(tables: readonly string[]): string {
  const names = tables.slice(0, namesAtMost).join(", ");
  const more = tables.length - namesAtMost;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `the ${tables.length === 1 ? "table" : "tables"} ${names}${rest}`;
}

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
