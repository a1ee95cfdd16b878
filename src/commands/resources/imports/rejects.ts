import { TableFile, type TableFormat } from "../tables/table-file.ts";
import { rejectColumns } from "./mapping.ts";
import type { RowFault } from "./row-items.ts";
import type { JsonRow, Source, TableRow } from "./source.ts";

/** A file of rejected rows in the form of the source, with the reasons in further columns. */
export class Rejects {
  private constructor(
    private readonly file: TableFile,
    private readonly width: number,
  ) {}

  static async create(
    path: string,
    source: Source,
    names: readonly (string | undefined)[],
  ): Promise<Rejects> {
    const format: TableFormat =
      source.kind === "json" ? "ndjson" : source.format.startsWith("XLSX") ? "xlsx" : "csv";
    const own = names.map((name) => name ?? "").filter((name) => !isReason(name));
    const header = [...own, ...rejectColumns];
    const separator = source.kind === "table" ? source.separator : undefined;
    const file = await TableFile.create(path, format, { header, sheet: "Rejects", separator });
    return new Rejects(file, own.length);
  }

  async add(source: TableRow | JsonRow, faults: readonly RowFault[]): Promise<void> {
    const column = faults.map((fault) => fault.column ?? "").join("; ");
    const reason = faults.map((fault) => fault.reason).join("; ");
    const cells = "cells" in source ? source.cells.slice(0, this.width) : [];
    const filled = Array.from({ length: this.width }, (_, at) => cells[at]);
    const value = "values" in source ? source.values : {};
    const reasons = { "#row": source.number, "#column": column, "#reason": reason };
    await this.file.write([
      { cells: [...filled, source.number, column, reason], value: { ...value, ...reasons } },
    ]);
  }

  async end(): Promise<void> {
    await this.file.commit();
  }

  async discard(): Promise<void> {
    await this.file.discard();
  }
}

export function isReason(name: string): boolean {
  return rejectColumns.some((column) => column === name);
}
