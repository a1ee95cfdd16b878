import type { Resource } from "#client/index.ts";
import { csvLines } from "#lib/text/csv.ts";
import { systemFields, type SystemField } from "#contract/shared-names.ts";

export type ExportFormat = "ndjson" | "csv" | "json";

const batchSize = 100;

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

/** The text of a batch of records; `written` records precede it in the file. */
function batchText(
  format: ExportFormat,
  columns: readonly string[],
  batch: readonly Resource[],
  written: number,
): Promise<string> | string {
  switch (format) {
    case "ndjson":
      return batch.map((record) => `${JSON.stringify(record)}\n`).join("");
    case "json":
      return batch
        .map((record, index) => `${written + index === 0 ? "" : ","}\n${JSON.stringify(record)}`)
        .join("");
    case "csv":
      return csvLines(batch.map((record) => columns.map((name) => cellOf(record, name))));
  }
}

/**
 * Records as the bytes of a file: one JSON per line, one JSON list, or CSV with `columns`. CSV has
 * no formulas, and nested values are compact JSON. At most 100 records are in memory.
 */
export async function* exportChunks(
  records: AsyncIterable<Resource>,
  format: ExportFormat,
  columns: readonly string[],
  onRecord: (count: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  if (format === "csv") yield encoder.encode(await csvLines([columns]));
  if (format === "json") yield encoder.encode("[");
  let batch: Resource[] = [];
  let written = 0;
  for await (const record of records) {
    batch.push(record);
    onRecord(written + batch.length);
    if (batch.length < batchSize) continue;
    yield encoder.encode(await batchText(format, columns, batch, written));
    written += batch.length;
    batch = [];
  }
  yield encoder.encode(await batchText(format, columns, batch, written));
  if (format === "json") yield encoder.encode(written + batch.length === 0 ? "]\n" : "\n]\n");
}
