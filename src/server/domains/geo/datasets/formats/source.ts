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

/** The first bytes of usual files that are no text, as Latin-1. */
const others: readonly (readonly [start: string, reason: string])[] = [
  ["\u001F\u008B", "is compressed by gzip: unpack it first"],
  ["BZh91AY", "is compressed by bzip2: unpack it first"],
  ["\u00FD7zXZ", "is compressed by xz: unpack it first"],
  ["(\u00B5/\u00FD", "is compressed by zstd: unpack it first"],
  ["PK\u0003\u0004", "is a ZIP archive, such as KMZ or a shapefile: unpack it first"],
  ["SQLite format 3\0", "is a database, such as GeoPackage: convert it to GeoJSON first"],
  ["\0\0'\n", "is a shapefile: convert it to GeoJSON first"],
  ["fgb\u0003", "is FlatGeobuf: convert it to GeoJSON first"],
  ["PAR1\u0015", "is Parquet: convert it to GeoJSON first"],
  ["\u00FF\u00FE", "is UTF-16: save it as UTF-8 first"],
  ["\u00FE\u00FF", "is UTF-16: save it as UTF-8 first"],
];

/** Why a file with these first bytes is none of the formats; undefined for a text. */
export function reasonNotText(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.subarray(0, 16)).toString("latin1");
  const reason = others.find(([bytes]) => text.startsWith(bytes))?.[1];
  return reason === undefined ? undefined : `The file ${reason}`;
}

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
