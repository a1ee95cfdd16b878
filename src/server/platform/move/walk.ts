import { canonicalText, compareKeys, keyOf, type Key, type Row } from "./row-values.ts";
import type { Side } from "./side.ts";
import type { MovedTable } from "./tables.ts";

/** How the rows of a table differ between two databases. */
export interface TableComparison {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over all rows in the order of their keys. */
  readonly digest: string;
  readonly sourceRows: number;
  readonly sourceDigest: string;
  /** Rows that only the target has, that differ, and that only the source has. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** The rows of a part of a table that differ. */
export interface PartDifference {
  readonly onlyTarget: readonly Row[];
  /** Pairs as the source has them. */
  readonly changed: readonly Row[];
  readonly onlySource: readonly Row[];
}

export function isEqual({ added, changed, removed }: TableComparison): boolean {
  return added + changed + removed === 0;
}

/**
 * Reads a table of both databases side by side, part by part, and calls `onDifference` for each
 * part with rows that differ. Both databases are read in constant memory.
 */
export async function compareTable(
  table: MovedTable,
  { source, target }: { readonly source: Side; readonly target: Side },
  onDifference: (difference: PartDifference) => Promise<void>,
): Promise<TableComparison> {
  const theirs = new AheadRows(table, target.pages(table));
  const digests = { source: new RowsDigest(), target: new RowsDigest() };
  const found = { added: 0, changed: 0, removed: 0 };
  const compare = async (mine: readonly Row[], others: readonly Row[]): Promise<void> => {
    const left = mine.map((row) => canonicalText(table, row));
    const right = others.map((row) => canonicalText(table, row));
    digests.source.add(left);
    digests.target.add(right);
    if (left.length === right.length && left.every((text, at) => text === right[at])) return;
    const difference = differenceOf(
      table,
      { rows: mine, texts: left },
      { rows: others, texts: right },
    );
    found.added += difference.onlyTarget.length;
    found.changed += difference.changed.length;
    found.removed += difference.onlySource.length;
    await onDifference(difference);
  };
  try {
    for await (const rows of source.pages(table)) {
      const end = rows.at(-1);
      if (end !== undefined) await compare(rows, await theirs.upTo(keyOf(table, end)));
    }
    for (let rest = await theirs.next(); rest.length > 0; rest = await theirs.next()) {
      await compare([], rest);
    }
  } finally {
    await theirs.close();
  }
  return {
    table: table.name,
    rows: digests.target.rows,
    digest: digests.target.text(),
    sourceRows: digests.source.rows,
    sourceDigest: digests.source.text(),
    ...found,
  };
}

interface ReadRows {
  readonly rows: readonly Row[];
  readonly texts: readonly string[];
}

function differenceOf(table: MovedTable, mine: ReadRows, theirs: ReadRows): PartDifference {
  const nameOf = (row: Row): string => keyOf(table, row).join("\u0000");
  const others = new Map(theirs.rows.map((row, at) => [nameOf(row), theirs.texts[at]]));
  const known = new Set(mine.rows.map(nameOf));
  return {
    onlyTarget: theirs.rows.filter((row) => !known.has(nameOf(row))),
    onlySource: mine.rows.filter((row) => !others.has(nameOf(row))),
    changed: mine.rows.filter((row, at) => {
      const other = others.get(nameOf(row));
      return other !== undefined && other !== mine.texts[at];
    }),
  };
}

/** The rows of the target, which are read as far as the source has been read. */
class AheadRows {
  #rows: readonly Row[] = [];

  constructor(
    private readonly table: MovedTable,
    private readonly pages: AsyncGenerator<readonly Row[], void, undefined>,
  ) {}

  /** All further rows up to a key. */
  async upTo(key: Key): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (;;) {
      const after = this.#rows.findIndex((row) => compareKeys(keyOf(this.table, row), key) > 0);
      if (after >= 0) {
        found.push(...this.#rows.slice(0, after));
        this.#rows = this.#rows.slice(after);
        return found;
      }
      found.push(...this.#rows);
      this.#rows = await this.#page();
      if (this.#rows.length === 0) return found;
    }
  }

  /** Some further rows; none at the end. */
  async next(): Promise<readonly Row[]> {
    const rows = this.#rows.length > 0 ? this.#rows : await this.#page();
    this.#rows = [];
    return rows;
  }

  async close(): Promise<void> {
    await this.pages.return();
  }

  async #page(): Promise<readonly Row[]> {
    const { value, done } = await this.pages.next();
    return done === true || value === undefined ? [] : value;
  }
}

/** The digest of a table's rows, from their canonical texts in the order of keys. */
export class RowsDigest {
  rows = 0;
  readonly #hasher = new Bun.CryptoHasher("sha256");

  add(texts: readonly string[]): void {
    this.rows += texts.length;
    if (texts.length > 0) this.#hasher.update(`${texts.join("\n")}\n`);
  }

  text(): string {
    return this.#hasher.digest("hex");
  }
}
