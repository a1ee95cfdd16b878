import { formatError, inputError } from "#cli/errors.ts";
import type { Cell, MergedCells, ReadMeter, TableRow, TableSource } from "../source.ts";
import { mergedCells, sheetRows } from "./sheet-rows.ts";
import { readWorkbook, type SheetPart } from "./workbook.ts";
import { ZipError, ZipFile } from "./zip-file.ts";

/**
 * A sheet of an XLSX: the named one, else the first that is visible. Cells of a merged range below
 * its first one have its value. Throws E304 for a damaged file, and E305 for an unknown sheet.
 */
export async function xlsxSource(
  file: Blob,
  { name, sheet }: { readonly name: string; readonly sheet: string | undefined },
): Promise<TableSource> {
  const checked = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw readable(error, name);
    }
  };
  const { zip, workbook, part, merges, size } = await checked(async () => {
    const opened = await ZipFile.open(file);
    const found = await readWorkbook(opened);
    const chosen = chosenSheet(found.sheets, name, sheet);
    const meter = { bytes: 0 };
    // This also checks the part as a whole, before anything is sent.
    const ranges = await mergedCells(metered(opened.stream(chosen.part), meter));
    return { zip: opened, workbook: found, part: chosen, merges: ranges, size: meter.bytes };
  });
  return {
    kind: "table",
    format: `XLSX, sheet "${part.name}"`,
    size,
    showsItsEnd: true,
    merges,
    async *rows(meter: ReadMeter) {
      const tall = merges.filter(({ firstRow, lastRow }) => lastRow > firstRow);
      const filled = new MergedValues(tall);
      try {
        for await (const rows of sheetRows(metered(zip.stream(part.part), meter), workbook)) {
          yield tall.length === 0 ? rows : rows.map((row) => filled.row(row));
        }
      } catch (error) {
        throw readable(error, name);
      }
    },
  };
}

function readable(error: unknown, name: string): unknown {
  if (!(error instanceof ZipError)) return error;
  return formatError(`${name} is not a readable XLSX: ${error.message}`, "XLSX, CSV, JSON");
}

function chosenSheet(
  sheets: readonly SheetPart[],
  name: string,
  wanted: string | undefined,
): SheetPart {
  const chosen =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find((sheet) => sheet.name === wanted);
  if (chosen !== undefined) return chosen;
  const names = sheets.map((sheet) => sheet.name).join(", ");
  throw inputError(`${name} has no sheet ${wanted ?? ""}`, `Its sheets are ${names}`);
}

async function* metered(
  chunks: AsyncIterable<Uint8Array>,
  meter: ReadMeter,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    meter.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** Gives the cells of merged ranges over several rows the value of their first cell. */
class MergedValues {
  readonly #waiting: MergedCells[];
  #open: { readonly range: MergedCells; readonly value: Cell }[] = [];

  constructor(ranges: readonly MergedCells[]) {
    this.#waiting = ranges.toSorted((one, other) => other.firstRow - one.firstRow);
  }

  row(row: TableRow): TableRow {
    const cells = [...row.cells];
    this.#open = this.#open.filter(({ range }) => range.lastRow >= row.number);
    for (const { range, value } of this.#open) cells[range.firstColumn] ??= value;
    for (;;) {
      const range = this.#waiting.at(-1);
      if (range === undefined || range.firstRow > row.number) break;
      this.#waiting.pop();
      if (range.firstRow === row.number) {
        this.#open.push({ range, value: cells[range.firstColumn] });
      }
    }
    return { ...row, cells };
  }
}
