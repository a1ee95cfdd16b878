import type { Resource } from "#client/index.ts";
import { csvLines } from "#lib/csv.ts";
import { systemFields, type SystemField } from "#contract/resources/system-fields.ts";

export type ExportFormat = "ndjson" | "csv" | "json";

/** Records that are written at once. */
const recordsAtOnce = 100;

function isSystemField(name: string): name is SystemField {
  return (systemFields as readonly string[]).includes(name);
}

function cellOf(record: Resource, name: string): string | undefined {
  const value = Object.hasOwn(record.data, name)
    ? record.data[name]
    : isSystemField(name)
      ? record[name]
      : undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The pieces of a file around and between records. */
interface Shape {
  readonly head: () => Promise<string> | string;
  readonly tail: (count: number) => string;
  /** `before` is how many came before them. */
  readonly some: (records: readonly Resource[], before: number) => Promise<string> | string;
}

function shapeOf(format: ExportFormat, columns: readonly string[]): Shape {
  switch (format) {
    case "ndjson":
      return {
        head: () => "",
        tail: () => "",
        some: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(""),
      };
    case "json":
      return {
        head: () => "[",
        tail: (count) => (count === 0 ? "]\n" : "\n]\n"),
        some: (records, before) =>
          records
            .map((record, index) => `${before + index === 0 ? "" : ","}\n${JSON.stringify(record)}`)
            .join(""),
      };
    case "csv":
      return {
        head: () => csvLines([columns]),
        tail: () => "",
        some: (records) =>
          csvLines(records.map((record) => columns.map((name) => cellOf(record, name)))),
      };
  }
}

/**
 * Records as the bytes of a file: JSON a line, one JSON list, or CSV with `columns`. In CSV a text
 * is as it is (but no formula), and what is nested is compact JSON. Memory is flat.
 */
export async function* exportChunks(
  records: AsyncIterable<Resource>,
  format: ExportFormat,
  columns: readonly string[],
  onRecord: (count: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const shape = shapeOf(format, columns);
  yield encoder.encode(await shape.head());
  let held: Resource[] = [];
  let written = 0;
  for await (const record of records) {
    held.push(record);
    onRecord(written + held.length);
    if (held.length < recordsAtOnce) continue;
    yield encoder.encode(await shape.some(held, written));
    written += held.length;
    held = [];
  }
  yield encoder.encode((await shape.some(held, written)) + shape.tail(written + held.length));
}
