import type { ImportItem } from "#contract/resources/imports.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Mapping, MappedColumn } from "./mapping.ts";
import type { Cell, JsonRow, TableRow } from "./source.ts";
import { columnLetters } from "./xlsx/sheet-rows.ts";

/** A reason why a row cannot be imported. */
export interface RowFault {
  readonly row: number;
  /** The name of the column, with its letter in a table. */
  readonly column?: string | undefined;
  readonly reason: string;
}

/** A file that a row names, for a property of its record. */
export interface RowFile {
  readonly property: string;
  readonly path: string;
  /** The name of the column, with its letter in a table. */
  readonly place: string;
}

export type RowReading =
  | {
      readonly item: ImportItem;
      readonly key: string | undefined;
      readonly files: readonly RowFile[];
    }
  | { readonly faults: readonly RowFault[] };

interface Column extends MappedColumn {
  readonly place: string;
  readonly at: number;
}

/** Converts rows to items of an import. */
export class RowItems {
  readonly #columns: readonly Column[];
  readonly #width: number;
  /** Rows by the key that they have. */
  readonly #seen = new Map<string, number>();

  /** `names` are the columns of a table; JSON has none. */
  constructor(
    private readonly mapping: Mapping,
    private readonly key: string | undefined,
    names: readonly (string | undefined)[] = [],
  ) {
    this.#width = names.length;
    this.#columns = names.flatMap((name, at) => {
      const column = name === undefined ? undefined : mapping.column(name);
      return column === undefined || column === null
        ? []
        : [{ ...column, at, place: `${name} (${columnLetters(at)})` }];
    });
  }

  /** The keys of all rows that were read. */
  get keys(): ReadonlyMap<string, number> {
    return this.#seen;
  }

  ofTable({ number, cells, fault }: TableRow, isCsv: boolean): RowReading {
    if (fault !== undefined) return { faults: [{ row: number, reason: fault }] };
    const faults: RowFault[] = [];
    if (isCsv && cells.slice(this.#width).some((cell) => !isEmpty(cell))) {
      const reason = `has ${cells.length} cells for ${this.#width} columns`;
      return { faults: [{ row: number, reason }] };
    }
    const data: JsonObject = {};
    const files: RowFile[] = [];
    for (const column of this.#columns) {
      const cell = cells[column.at];
      if (cell === undefined || (isEmpty(cell) && !(cell === "" && column.takesEmptyText))) {
        this.#clear(data, column);
        continue;
      }
      if (column.namesFiles && typeof cell === "string" && !isJsonText(cell)) {
        files.push({ property: column.property, path: cell.trim(), place: column.place });
        continue;
      }
      try {
        put(data, column.property, column.read(cell));
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        faults.push({ row: number, column: column.place, reason: error.message });
      }
    }
    const isEmptyRecord = faults.length + files.length + Object.keys(data).length === 0;
    if (isEmptyRecord && this.key === undefined) {
      return { faults: [{ row: number, reason: "has values only in columns that are left out" }] };
    }
    return this.#item(number, data, { faults, files });
  }

  ofJson({ number, values }: JsonRow): RowReading {
    const faults: RowFault[] = [];
    const data: JsonObject = {};
    const files: RowFile[] = [];
    for (const [name, value] of Object.entries(values)) {
      const column = this.mapping.column(name);
      if (column === null) continue;
      // The platform names a member that is no property.
      if (column === undefined) put(data, name, value);
      else if (column.namesFiles && typeof value === "string") {
        files.push({ property: column.property, path: value, place: name });
      } else if (value === null) {
        if (this.key !== undefined) put(data, column.property, null);
      } else if (typeof value !== "string" || !column.hasForms) put(data, column.property, value);
      else {
        try {
          put(data, column.property, column.read(value));
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          faults.push({ row: number, column: name, reason: error.message });
        }
      }
    }
    return this.#item(number, data, { faults, files });
  }

  /** The place of a property, for a reason that the platform gives. */
  placeOf(property: string): string {
    return this.#columns.find((column) => column.property === property)?.place ?? property;
  }

  #clear(data: JsonObject, { clears, property }: Column): void {
    if (clears && this.key !== undefined) put(data, property, null);
  }

  #item(
    row: number,
    data: JsonObject,
    { faults, files }: { readonly faults: RowFault[]; readonly files: readonly RowFile[] },
  ): RowReading {
    for (const { place } of this.key === undefined ? files : []) {
      // The record of a file is found by its key, also after an interruption.
      const reason = `names a file, which needs ${this.mapping.settingNames.key}`;
      faults.push({ row, column: place, reason });
    }
    if (faults.length > 0) return { faults };
    if (this.key === undefined) return { item: { op: "create", row, data }, key: undefined, files };
    const value = ownMember(data, this.key);
    const column = this.placeOf(this.key);
    if (!isKey(value)) return { faults: [{ row, column, reason: "is empty, and is the key" }] };
    const text = String(value);
    const before = this.#seen.get(text);
    if (before !== undefined) {
      return { faults: [{ row, column, reason: `${text} is already the key of row ${before}` }] };
    }
    this.#seen.set(text, row);
    return { item: { op: "upsert", row, property: this.key, value, data }, key: text, files };
  }
}

function isKey(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

/** True for the JSON that an export writes for a file: its name, size and digest. */
function isJsonText(cell: string): boolean {
  return /^\s*\{/.test(cell);
}

function isEmpty(cell: Cell): boolean {
  return cell === undefined || (typeof cell === "string" && !/\S/.test(cell));
}

function put(data: JsonObject, name: string, value: unknown): void {
  const property = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(data, name, property);
}
