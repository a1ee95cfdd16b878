import { AtomicFile } from "#lib/files/atomic-write.ts";
import { csvLines } from "#lib/text/csv.ts";
import type { Cell } from "../imports/source.ts";
import type { XlsxPacker } from "./xlsx-writer.ts";

const tableFormats = ["csv", "ndjson", "json", "xlsx"] as const;
export type TableFormat = (typeof tableFormats)[number];

/** One row: its cells for a table, and its value for JSON. */
export interface WrittenRow {
  readonly cells: readonly Cell[];
  readonly value: unknown;
}

/** The format of a file name's extension; undefined for another one. */
export function formatOfName(name: string): TableFormat | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  return tableFormats.find((format) => format === extension);
}

export interface TableOptions {
  readonly header: readonly string[];
  /** The name of the sheet of an XLSX. */
  readonly sheet: string;
  /** The separator of a CSV, by default a comma. */
  readonly separator?: string | undefined;
}

/** A file of rows that appears once it is whole. */
export class TableFile {
  #rows = 0;

  private constructor(
    private readonly file: AtomicFile,
    private readonly format: TableFormat,
    private readonly packer: XlsxPacker | undefined,
    private readonly separator: string | undefined,
  ) {}

  static async create(
    path: string,
    format: TableFormat,
    { header, sheet, separator }: TableOptions,
  ): Promise<TableFile> {
    const packer = format === "xlsx" ? await xlsxPacker(sheet, header) : undefined;
    const file = await AtomicFile.create(path, { mode: 0o666 });
    const table = new TableFile(file, format, packer, separator);
    if (format === "csv") await table.#text(await csvLines([header], separator));
    return table;
  }

  async write(rows: readonly WrittenRow[]): Promise<void> {
    if (rows.length === 0) return;
    const isFirst = this.#rows === 0;
    this.#rows += rows.length;
    if (this.packer !== undefined) {
      for (const { cells } of rows) this.packer.add(cells);
      for (const chunk of this.packer.take()) await this.file.write(chunk);
    } else if (this.format === "csv") {
      const lines = rows.map(({ cells }) => cells.map(csvCell));
      await this.#text(await csvLines(lines, this.separator));
    } else if (this.format === "ndjson") {
      await this.#text(rows.map(({ value }) => `${JSON.stringify(value)}\n`).join(""));
    } else {
      const items = rows.map(({ value }) => JSON.stringify(value)).join(",\n");
      await this.#text(`${isFirst ? "[\n" : ",\n"}${items}`);
    }
  }

  async commit(): Promise<void> {
    for (const chunk of this.packer?.end() ?? []) await this.file.write(chunk);
    if (this.format === "json") await this.#text(this.#rows === 0 ? "[]\n" : "\n]\n");
    await this.file.commit();
  }

  async discard(): Promise<void> {
    await this.file.discard();
  }

  async #text(text: string): Promise<void> {
    await this.file.write(new TextEncoder().encode(text));
  }
}

/** Loads the library of ZIP files, which no other format needs. */
async function xlsxPacker(sheet: string, header: readonly string[]): Promise<XlsxPacker> {
  const { XlsxPacker: Packer } = await import("./xlsx-writer.ts");
  return new Packer(sheet, header);
}

function csvCell(cell: Cell): unknown {
  if (typeof cell !== "object") return cell;
  return "date" in cell ? cell.date : cell.error;
}
