import type { ImportFormat } from "#contract/geo/import-formats.ts";
import { csvFeatures } from "./csv.ts";
import { geojsonFeatures } from "./geojson.ts";
import { lineFeatures } from "./lines.ts";
import {
  FormatError,
  formatOf,
  reasonNotText,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";
import { xmlFeatures } from "./xml.ts";

/** The features of a file, read as they are needed. Throws FormatError. */
export function featuresIn(
  format: ImportFormat,
  chunks: Chunks,
  options: SourceOptions,
): AsyncGenerator<SourceFeature, void, void> {
  switch (format) {
    case "geojson":
      return geojsonFeatures(chunks, options);
    case "ndgeojson":
      return lineFeatures(chunks, options);
    case "csv":
      return csvFeatures(chunks, options);
    default:
      return xmlFeatures(format, chunks, options);
  }
}

/**
 * The format of a file, by its first chunk unless it is given, and the chunks again. Throws
 * FormatError for a file that is no text.
 */
export async function detected(
  chunks: Chunks,
  given?: ImportFormat,
): Promise<{ readonly format: ImportFormat; readonly chunks: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Uint8Array, void, void> {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
  }
  const start = first.done === true ? new Uint8Array() : first.value;
  const reason = reasonNotText(start);
  if (reason !== undefined) throw new FormatError(reason);
  return { format: given ?? formatOf(start), chunks: all() };
}
