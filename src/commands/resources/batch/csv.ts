import { nearest } from "#cli/input/nearest.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { SchemaFault } from "#contract/schema-faults.ts";
import type { JsonObject } from "#contract/values.ts";
import { withoutMark } from "#lib/text/csv.ts";
import type { CsvRow } from "./csv-rows.ts";
import { keepsDigits, tooManyDigits } from "#lib/json/exact.ts";
import { jsonReading } from "#lib/json/loss.ts";
import { pointer } from "#lib/json/pointer.ts";
import type { CommandContext } from "../../kit/context.ts";
import { isSystem } from "../records/fields.ts";

interface CsvColumn {
  readonly name: string;
  /** The value of a cell that is not empty. Throws a `TypeError` with the fault's detail. */
  value(cell: string): unknown;
  /** True if `""` is an empty text. In other columns it is no value. */
  readonly takesEmptyText: boolean;
}

export type CsvUse = "create" | "update";

/** Converts CSV rows to batch items; the Object Type gives the types. An empty cell is no value. */
export class CsvItems {
  readonly #use: CsvUse;
  readonly #columns: readonly (CsvColumn | undefined)[];
  readonly #idAt: number;
  readonly #versionAt: number;

  /** Throws E302 for an unknown, a missing or a duplicate column. */
  constructor(header: CsvRow["cells"], type: ObjectType, use: CsvUse) {
    const names = header.map((name = "") => name.trim());
    this.#use = use;
    this.#idAt = names.indexOf("id");
    this.#versionAt = names.indexOf("version");
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) throw invalid(`the column "${duplicate}" is given twice`);
    if (use === "update" && (this.#idAt < 0 || this.#versionAt < 0)) {
      throw invalid("an update needs the columns id and version");
    }
    const known = columnsOf(type);
    this.#columns = names.map((name) => {
      // System fields: an update reads id and version, the others are read-only.
      if (isSystem.has(name) && name !== "data") return undefined;
      const column = known.get(name.replace(/^data\./, ""));
      if (column !== undefined) return column;
      const separator = names.length === 1 ? otherSeparator(name) : undefined;
      if (separator !== undefined) {
        throw invalid(`its names are separated by ${separator}, expected commas`);
      }
      const near = nearest(name, [...known.keys()]);
      const words = `${type.slug} has no property "${name}"`;
      throw invalid(near === undefined ? words : `${words}: did you mean "${near}"?`);
    });
  }

  /** The unchecked item of a row, and the faults of its cells. */
  item(cells: CsvRow["cells"]): {
    readonly item: unknown;
    readonly faults: readonly SchemaFault[];
  } {
    const faults: SchemaFault[] = [];
    if (cells.length > this.#columns.length) {
      const detail = `has ${cells.length} cells for ${this.#columns.length} columns`;
      return { item: undefined, faults: [{ path: [], detail }] };
    }
    const data: JsonObject = {};
    this.#columns.forEach((column, index) => {
      const cell = cells[index];
      if (column === undefined || cell === undefined) return;
      if (cell === "" && !column.takesEmptyText) return;
      try {
        Object.defineProperty(data, column.name, {
          value: column.value(withoutMark(cell)),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        faults.push({ path: [column.name], detail: error.message });
      }
    });
    if (this.#use === "create") return { item: { data }, faults };
    const version = cells[this.#versionAt] ?? "";
    const item = {
      id: cells[this.#idAt] ?? "",
      version: /^\d{1,15}$/.test(version) ? Number(version) : version,
      data,
    };
    return { item, faults };
  }
}

function columnsOf({ properties, linkTypes = [] }: ObjectType): ReadonlyMap<string, CsvColumn> {
  const columns = Object.entries(properties).map(([name, property]): CsvColumn => ({
    name,
    value: readerOf(property),
    takesEmptyText: property.type === "string" || property.type === "text",
  }));
  const links = linkTypes.map(({ name, cardinality }): CsvColumn => ({
    name,
    value: cardinality === "one" ? asText : asJson,
    takesEmptyText: false,
  }));
  return new Map([...columns, ...links].map((column) => [column.name, column]));
}

function readerOf({ type, enum: choices }: { readonly type: string; readonly enum?: unknown }) {
  if (type === "integer" || type === "number") return asNumber;
  if (type === "boolean") return asBoolean;
  if (["object", "array", "geopoint", "geometry", "file"].includes(type)) return asJson;
  const numbers = (Array.isArray(choices) ? choices : []).filter(
    (choice) => typeof choice === "number",
  );
  if (numbers.length === 0) return asText;
  return (cell: string): unknown => numbers.find((number) => String(number) === cell) ?? cell;
}

function asText(cell: string): string {
  return cell;
}

export function asNumber(cell: string): number {
  const text = cell.trim();
  const number = Number(text);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) || !Number.isFinite(number)) {
    throw new TypeError(`${quoted(cell)} is not a number`);
  }
  if (!keepsDigits(text)) throw new TypeError(`${quoted(cell)} ${tooManyDigits}`);
  return number;
}

function asBoolean(cell: string): boolean {
  const text = cell.trim().toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  throw new TypeError(`${quoted(cell)} is neither true nor false`);
}

export function asJson(cell: string): unknown {
  const { value, loss } = jsonReading(cell);
  if (loss !== undefined) {
    throw new TypeError(`${quoted(cell)}: ${pointer(...loss.path)} ${loss.detail}`);
  }
  if (value === undefined) throw new TypeError(`${quoted(cell)} is not JSON`);
  return value;
}

export function quoted(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 39).toWellFormed()}…` : cell);
}

/** The separator that spreadsheets use where the comma is the decimal sign. */
function otherSeparator(name: string): string | undefined {
  if (name.includes(";")) return "semicolons";
  return name.includes("\t") ? "tabs" : undefined;
}

function invalid(details: string): CatalogError {
  return catalogError("E302", { details: `the CSV's first row: ${details}` });
}

/** The reader of a CSV, which fetches the Object Type once, when it is first called. */
export function csvReader(
  context: CommandContext,
  workspace: string | undefined,
  slug: string,
  use: CsvUse,
): (header: CsvRow["cells"]) => Promise<CsvItems> {
  let fetched: ObjectType | undefined;
  return async (header) => {
    if (fetched === undefined) {
      const client = await context.client({ workspace });
      const { objectTypes } = await client.objectTypes.schema({ signal: context.signal });
      fetched = objectTypes.find((type) => type.slug === slug);
    }
    if (fetched === undefined) throw catalogError("E202", { resource: `Object Type ${slug}` });
    return new CsvItems(header, fetched, use);
  };
}
