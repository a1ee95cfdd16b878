import { isJsonObject, parsedJson, sortedJson } from "#lib/json/value.ts";
import type { MovedColumn, MovedTable } from "./tables.ts";

export type Value = string | number | bigint | null | Uint8Array;
/** The values of a row in the order of its table's columns; JSON is text. */
export type Row = readonly Value[];
/** The values of a row's key, in their order. */
export type Key = readonly (string | number | bigint)[];

export function keyOf({ key, name }: MovedTable, row: Row): Key {
  return key.map((at) => {
    const value = row[at];
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
      return value;
    }
    throw new TypeError(`A row of ${name} has no key`);
  });
}

/** The order of keys, which both databases share: numbers by value, texts by code point. */
export function compareKeys(one: Key, other: Key): number {
  for (const [at, left] of one.entries()) {
    const order = compareValues(left, other[at] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

const surrogate = /[\ud800-\udfff]/;

function compareValues(one: Key[number], other: Key[number]): number {
  if (one === other) return 0;
  if (typeof one === "string" && typeof other === "string") {
    if (surrogate.test(one) || surrogate.test(other)) {
      return Buffer.compare(Buffer.from(one), Buffer.from(other));
    }
  }
  return one < other ? -1 : 1;
}

/**
 * The text of a row from which its digest is computed: the same on both engines for the same
 * content, because the names of each JSON object are in order.
 */
export function canonicalText({ columns }: MovedTable, row: Row): string {
  return JSON.stringify(
    row.map((value, at) => {
      if (typeof value === "string" && columns[at]?.kind === "json") return canonicalJson(value);
      if (typeof value === "bigint") return `${value}`;
      return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
    }),
  );
}

function canonicalJson(text: string): string {
  const value = parsedJson(text);
  if (value === undefined) throw new TypeError("A stored JSON value cannot be read");
  return sortedJson(value);
}

/** A value as a driver has read it. Throws for a value that no column can have. */
export function valueOf({ name }: MovedColumn, found: unknown): Value {
  if (found === null || found === undefined) return null;
  if (typeof found === "string" || typeof found === "number") return found;
  if (typeof found === "bigint") {
    const plain = Number(found);
    return Number.isSafeInteger(plain) ? plain : found;
  }
  if (found instanceof Uint8Array) return found;
  throw new TypeError(`Cannot move a value of ${name}: its type is ${typeof found}`);
}

/** Bytes of a row, roughly. */
export function sizeOf(row: Row): number {
  let size = 0;
  for (const value of row) {
    size += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  }
  return size;
}

/** The column of sort keys: SQLite names a text by its hexadecimal bytes, PostgreSQL by itself. */
export function isFolds(table: string, { name }: MovedColumn): boolean {
  return table === "resources" && name === "folds";
}

export function foldsFromSqlite(text: string): string {
  return renamed(text, (name) => Buffer.from(name.slice(1), "hex").toString());
}

export function foldsForSqlite(text: string): string {
  return renamed(text, (name) => `x${Buffer.from(name).toString("hex").toUpperCase()}`);
}

function renamed(text: string, rename: (name: string) => string): string {
  const folds = parsedJson(text);
  if (!isJsonObject(folds)) return text;
  const entries = Object.entries(folds).map(([name, fold]) => [rename(name), fold] as const);
  return JSON.stringify(Object.fromEntries(entries));
}
