import { headerRange } from "./header.ts";
import type { Mapping, MappingFile } from "./mapping.ts";
import type { ColumnPlace } from "./report.ts";
import { RowItems } from "./row-items.ts";
import type { ReadRow } from "./sending/row-sender.ts";
import type { JsonRow, ReadMeter, Source } from "./source.ts";
import { openTable, type SkippedRow } from "./table-rows.ts";

/** The rows of a file as items of an import. */
export interface OpenRows {
  readonly items: RowItems;
  readonly rows: AsyncIterable<readonly ReadRow[]>;
  readonly skipped: readonly SkippedRow[];
  readonly names: readonly (string | undefined)[];
  readonly places: readonly ColumnPlace[];
  readonly headerWords: string;
}

interface RowOptions {
  readonly settings: MappingFile;
  /** `places` allows columns without a place; `nothing` also two columns with one. */
  readonly check: "every column" | "places" | "nothing";
  readonly meter: ReadMeter;
}

/** Finds the header of a table and the place of each column. Throws E302 by `check`, or E305. */
export async function openRows(
  source: Source,
  mapping: Mapping,
  { settings, check, meter }: RowOptions,
): Promise<OpenRows> {
  if (source.kind === "json") {
    const items = new RowItems(mapping, settings.key);
    async function* read(chunks: AsyncIterable<readonly JsonRow[]>) {
      for await (const rows of chunks) {
        yield rows.map((row) => ({ source: row, reading: items.ofJson(row) }));
      }
    }
    const rows = read(source.rows(meter));
    return { items, rows, skipped: [], names: [], places: [], headerWords: "" };
  }
  const table = await openTable(source, meter, {
    given: settings.header === undefined ? undefined : headerRange(settings.header),
    matches: (name) => mapping.column(name) !== undefined,
  });
  const { names, lastRow } = table.header;
  if (check !== "nothing") mapping.check(names, check === "places");
  const items = new RowItems(mapping, settings.key, names);
  const isCsv = source.format.startsWith("CSV");
  async function* read() {
    for await (const rows of table.rows) {
      yield rows.map((row) => ({ source: row, reading: items.ofTable(row, isCsv) }));
    }
  }
  const places = names.flatMap((column): ColumnPlace[] =>
    column === undefined ? [] : [{ column, property: mapping.column(column)?.property ?? null }],
  );
  const headerWords = `, header in row ${lastRow}`;
  return { items, rows: read(), skipped: table.skipped, names, places, headerWords };
}
