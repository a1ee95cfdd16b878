import type { ImportFormat } from "#contract/geo/import-formats.ts";

/** A feature of a file, whose parts are not checked yet; or why a part of the file is none. */
export type SourceFeature =
  | {
      readonly id: string | undefined;
      readonly geometry: unknown;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly fault?: undefined;
    }
  | { readonly fault: string };

/** The bytes of a file in chunks. */
export type Chunks = AsyncIterable<Uint8Array>;

export interface SourceOptions {
  /** The property or column with the ids of features. */
  readonly id?: string | undefined;
  readonly longitude?: string | undefined;
  readonly latitude?: string | undefined;
  readonly wkt?: string | undefined;
}

/** The file as a whole cannot be read as this format. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** Bytes of one feature at most. */
export const maximumFeatureBytes: number = 64 * 1024 * 1024;

/** The format of a file by its first bytes. */
export function formatOf(start: Uint8Array): ImportFormat {
  const text = new TextDecoder()
    .decode(start)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (text.startsWith("<")) return /<(?:\w+:)?gpx[\s>]/.test(text) ? "gpx" : "kml";
  if (text.startsWith("\u001E")) return "ndgeojson";
  if (!text.startsWith("{")) return "csv";
  const end = text.indexOf("\n");
  const isLine = end > 0 && /^[\s\u001E]*\{/.test(text.slice(end)) && isJson(text.slice(0, end));
  return isLine ? "ndgeojson" : "geojson";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The id as text; undefined where it is none. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
