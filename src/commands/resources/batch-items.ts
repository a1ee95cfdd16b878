import type * as z from "zod";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { Fault } from "#contract/problems.ts";
import { CsvError, CsvRows, type CsvRow } from "#lib/csv-rows.ts";
import { JsonItemDepthError, JsonItems, JsonItemsError } from "#lib/json-items.ts";
import { pointer } from "#lib/json-pointer.ts";
import { maximumJsonBytes, parseJson, tooDeep, type TextSource } from "../input.ts";
import type { CsvItems } from "./csv-items.ts";

/** Items of one request: half of what a platform takes, so that none lasts long. */
export const chunkItems = 500;
/** JSON of one request's items, below what a platform takes. */
const chunkBytes = 4 * 1024 * 1024;
/** Faults of rows that are said. */
const keptFaults = 100;
/** IDs that are compared with each other; beyond that many it begins anew. */
const comparedIds = 1_000_000;

/** Items as they are read, some at a time: each checked, none of them twice. */
export type ItemStream<Item> = () => AsyncIterable<readonly Item[]>;

/** What is taken for a value that stands at this place of a source, before its schema sees it. */
export type Preparation = (value: unknown, place: number) => unknown;

/**
 * The items of a list, of `{ items: [...] }`, of values one after the other (NDJSON), or of one
 * value. E304 where that is not JSON, E302 for the first item that the schema refuses.
 */
export function jsonItems<Item>(
  source: TextSource,
  schema: z.ZodType<Item>,
  prepared: Preparation = (value) => value,
): ItemStream<Item> {
  return async function* read() {
    const { schemaFaults } = await import("#contract/schema-faults.ts");
    let index = 0;
    const check = (value: unknown): Item => {
      const place = index;
      index += 1;
      const parsed = schema.safeParse(prepared(value, place));
      if (parsed.success) return parsed.data;
      const [fault] = schemaFaults(parsed.error);
      const where = pointer(place, ...(fault?.path ?? []));
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
    // One value alone may be `{ items }`: which it is shows when there is another one, or none.
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
    const details = `${source.name} is not JSON: ${error.message}`;
    throw catalogError("E304", { details, validFormats: "a JSON list, NDJSON" });
  }
}

function listIn(value: unknown): readonly unknown[] {
  const items =
    typeof value === "object" && value !== null && "items" in value ? value.items : undefined;
  return Array.isArray(items) ? items : [value];
}

/** How the rows of a CSV become items. */
export interface CsvReading<Item extends object> {
  /** Asked once the first row is known. */
  readonly reader: (header: CsvRow["cells"]) => Promise<CsvItems>;
  /** Is told of the row that each item came from. */
  readonly rows: WeakMap<Item, number>;
}

/**
 * Items as {@link jsonItems} takes them, or the rows of a CSV: what begins with neither `[` nor `{`
 * is one, unless its name says that it is JSON. Each row that is wrong is said, up to a bound, where the text can be read twice; of a pipe
 * the first ones.
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
    const whole = { ...source, chunks: () => rejoined(first, chunks) };
    const isCsv = /^\s*[^\s[{\0]/.test(first) && !/json$/i.test(source.name);
    yield* isCsv ? csvItems(whole, schema, csv) : jsonItems(whole, schema, prepared)();
  };
}

async function* rejoined(
  first: string,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
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
      const { item, faults: found } = reader.item(cells);
      const parsed = schema.safeParse(item);
      const wrong = found.length > 0 || parsed.success ? found : schemaFaults(parsed.error);
      faultCount += wrong.length;
      for (const { path, detail } of wrong.slice(0, keptFaults - faults.length)) {
        faults.push({ pointer: pointer(index, ...path), detail: `${detail} (row ${number})` });
      }
      if (parsed.success) {
        items.push(parsed.data);
        csv.rows.set(parsed.data, number);
      }
      index += 1;
    }
    if (faultCount > 0 && !source.isReplayable) throw wrongRows(source, faults, faultCount);
    return faultCount > 0 ? [] : items;
  };
  try {
    for await (const chunk of source.chunks()) yield await checked(splitter.push(chunk));
    yield await checked(splitter.end());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const details = `${source.name} is not CSV: ${error.message}`;
    throw catalogError("E304", { details, validFormats: "a JSON list, NDJSON, CSV" });
  }
  if (faultCount > 0) throw wrongRows(source, faults, faultCount);
}

function wrongRows({ name }: TextSource, errors: readonly Fault[], count: number): CatalogError {
  const details = `${count} ${count === 1 ? "fault" : "faults"} in ${name}`;
  return catalogError("E302", { details }, { problem: { errors } });
}

/** IDs separated by commas or white space; E302 for the first that the schema refuses. */
export function idItems(source: TextSource, schema: z.ZodType<string>): ItemStream<string> {
  return async function* read() {
    let index = 0;
    let rest = "";
    const check = (id: string): string => {
      if (!schema.safeParse(id).success) {
        throw catalogError("E302", { details: `#/${index} must be a UUID` });
      }
      index += 1;
      return id;
    };
    for await (const chunk of source.chunks()) {
      const words = (rest + chunk).split(/[\s,]+/);
      // What is longer than any ID is refused before its end has come.
      rest = (words.pop() ?? "").slice(0, 64);
      yield words.filter(Boolean).map(check);
    }
    if (rest !== "") yield [check(rest)];
  };
}

/** The same without those that came before. */
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

/** Items in requests: at most {@link chunkItems} of them, of together at most 4 MiB. */
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
