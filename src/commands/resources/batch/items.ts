import type * as z from "zod";
import { formatError } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { Fault } from "#contract/problems.ts";
import { counted } from "#lib/text/counted.ts";
import { CsvError, CsvRows, type CsvRow } from "./csv-rows.ts";
import { JsonItemDepthError, JsonItems, JsonItemsError } from "./json-items.ts";
import { pointer } from "#lib/json/pointer.ts";
import {
  maximumJsonBytes,
  parseJson,
  tooDeep,
  withFirst,
  type TextSource,
} from "../../kit/input/data.ts";
import type { CsvItems } from "./csv.ts";

/** Items per request: half of the platform's limit, so that each request is short. */
export const chunkItems = 500;
/** JSON bytes per request, below the platform's limit. */
const chunkBytes = 4 * 1024 * 1024;
/** Faults of CSV rows that are reported. */
const keptFaults = 100;
/** IDs that are compared to find duplicates; after that many the set is cleared. */
const comparedIds = 1_000_000;

/** Reads the items, some at a time, each of them checked. */
export type ItemStream<Item> = () => AsyncIterable<readonly Item[]>;

/** Converts the value at an index of a source before its schema checks it. */
export type Preparation = (value: unknown, index: number) => unknown;

/** The items of a JSON list, `{ items: [...] }`, NDJSON, or one value. Throws E304 or E302. */
export function jsonItems<Item>(
  source: TextSource,
  schema: z.ZodType<Item>,
  prepared: Preparation = (value) => value,
): ItemStream<Item> {
  return async function* read() {
    const { schemaFaults } = await import("#contract/schema-faults.ts");
    let count = 0;
    const check = (value: unknown): Item => {
      const index = count;
      count += 1;
      const parsed = schema.safeParse(prepared(value, index));
      if (parsed.success) return parsed.data;
      const [fault] = schemaFaults(parsed.error);
      const where = pointer(index, ...(fault?.path ?? []));
      throw catalogError("E302", { details: `${where} ${fault?.detail ?? "is not valid"}` });
    };
    for await (const values of jsonValues(source)) yield values.map(check);
  };
}

async function* jsonValues(source: TextSource): AsyncGenerator<readonly unknown[]> {
  const splitter = new JsonItems(maximumJsonBytes);
  let count = 0;
  const nameOf = (index: number): string =>
    index === 0 ? source.name : `${source.name}, item ${index},`;
  const parse = (text: string): unknown => {
    const value = parseJson(text, nameOf(count));
    count += 1;
    return value;
  };
  try {
    // A single value may be `{ items }`, which is certain only at the end.
    let first: readonly unknown[] = [];
    for await (const chunk of source.chunks()) {
      const values = splitter.push(chunk).map(parse);
      if (values.length === 0) continue;
      if (count === 1 && !splitter.isList) first = values;
      else {
        yield [...first, ...values];
        first = [];
      }
    }
    const last = [...first, ...splitter.end().map(parse)];
    const [value] = last;
    yield last.length === 1 && count === 1 && !splitter.isList ? listIn(value) : last;
  } catch (error) {
    if (error instanceof JsonItemDepthError) throw tooDeep(nameOf(error.index));
    if (!(error instanceof JsonItemsError)) throw error;
    throw formatError(`${source.name} is not JSON: ${error.message}`, "a JSON list, NDJSON");
  }
}

function listIn(value: unknown): readonly unknown[] {
  const items =
    typeof value === "object" && value !== null && "items" in value ? value.items : undefined;
  return Array.isArray(items) ? items : [value];
}

/** Converts the rows of a CSV to items. */
export interface CsvReading<Item extends object> {
  /** Called with the first row. */
  readonly reader: (header: CsvRow["cells"]) => Promise<CsvItems>;
  /** Receives the row number of each item. */
  readonly rows: WeakMap<Item, number>;
}

/**
 * Items of JSON as in {@link jsonItems}, or of a CSV: text that begins with neither `[` nor `{`,
 * unless its name ends with `json`. A replayable CSV reports its first 100 faults; a pipe reports
 * those of the first faulty chunk.
 */
export function recordItems<Item extends object>(
  source: TextSource,
  schema: z.ZodType<Item>,
  csv: CsvReading<Item>,
  prepared: Preparation,
): ItemStream<Item> {
  return async function* read() {
    const chunks = source.chunks()[Symbol.asyncIterator]();
    let first = "";
    while (first.trim() === "") {
      const { done, value } = await chunks.next();
      if (done === true) break;
      first = value;
    }
    const whole = { ...source, chunks: () => withFirst(first, chunks) };
    const isCsv = /^\s*[^\s[{\0]/.test(first) && !/json$/i.test(source.name);
    yield* isCsv ? csvItems(whole, schema, csv) : jsonItems(whole, schema, prepared)();
  };
}

async function* csvItems<Item extends object>(
  source: TextSource,
  schema: z.ZodType<Item>,
  csv: CsvReading<Item>,
): AsyncGenerator<readonly Item[]> {
  const { schemaFaults } = await import("#contract/schema-faults.ts");
  const splitter = new CsvRows(maximumJsonBytes);
  const faults: Fault[] = [];
  let reader: CsvItems | undefined;
  let faultCount = 0;
  let index = 0;
  const checked = async (rows: readonly CsvRow[]): Promise<Item[]> => {
    const items: Item[] = [];
    for (const { cells, number } of rows) {
      if (reader === undefined) {
        reader = await csv.reader(cells);
        continue;
      }
      const { item, faults: cellFaults } = reader.item(cells);
      const parsed = schema.safeParse(item);
      const rowFaults =
        cellFaults.length > 0 || parsed.success ? cellFaults : schemaFaults(parsed.error);
      faultCount += rowFaults.length;
      for (const { path, detail } of rowFaults.slice(0, keptFaults - faults.length)) {
        faults.push({ pointer: pointer(index, ...path), detail: `${detail} (row ${number})` });
      }
      if (parsed.success) {
        items.push(parsed.data);
        csv.rows.set(parsed.data, number);
      }
      index += 1;
    }
    if (faultCount > 0 && !source.isReplayable) throw rowError(source, faults, faultCount);
    return faultCount > 0 ? [] : items;
  };
  try {
    for await (const chunk of source.chunks()) yield await checked(splitter.push(chunk));
    yield await checked(splitter.end());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw formatError(`${source.name} is not CSV: ${error.message}`, "a JSON list, NDJSON, CSV");
  }
  if (faultCount > 0) throw rowError(source, faults, faultCount);
}

function rowError({ name }: TextSource, errors: readonly Fault[], count: number): CatalogError {
  const details = `${counted(count, "fault")} in ${name}`;
  return catalogError("E302", { details }, { problem: { errors } });
}

/** IDs separated by commas or white space. Throws E302 for the first invalid one. */
export function idItems(source: TextSource, schema: z.ZodType<string>): ItemStream<string> {
  return async function* read() {
    let index = 0;
    let rest = "";
    const check = (id: string): string => {
      if (!schema.safeParse(id).success) {
        throw catalogError("E302", { details: `#/${index} must be an ID` });
      }
      index += 1;
      return id;
    };
    for await (const chunk of source.chunks()) {
      const words = (rest + chunk).split(/[\s,]+/);
      // An unfinished word longer than any ID is cut, and then refused.
      rest = (words.pop() ?? "").slice(0, 2048);
      yield words.filter(Boolean).map(check);
    }
    if (rest !== "") yield [check(rest)];
  };
}

export function distinct(items: ItemStream<string>): ItemStream<string> {
  return async function* read() {
    const seen = new Set<string>();
    for await (const some of items()) {
      if (seen.size > comparedIds) seen.clear();
      const fresh = some.filter((id) => !seen.has(id));
      for (const id of fresh) seen.add(id);
      yield [...new Set(fresh)];
    }
  };
}

/** Groups items into requests of at most {@link chunkItems} items and 4 MiB. */
export async function* chunksOf<Item>(items: ItemStream<Item>): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  let bytes = 0;
  for await (const some of items()) {
    for (const item of some) {
      // A UTF-16 unit is at most three bytes of UTF-8.
      const size = JSON.stringify(item).length * 3;
      if (chunk.length === chunkItems || (chunk.length > 0 && bytes + size > chunkBytes)) {
        yield chunk;
        chunk = [];
        bytes = 0;
      }
      chunk.push(item);
      bytes += size;
    }
  }
  if (chunk.length > 0) yield chunk;
}
