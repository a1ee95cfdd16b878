import Papa from "papaparse";
import { isJsonObject } from "#lib/json/value.ts";
import {
  FormatError,
  idOf,
  maximumFeatureBytes,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";
import { geometryOfWkt } from "./wkt.ts";

const longitudeNames = ["longitude", "lon", "lng", "long", "x"];
const latitudeNames = ["latitude", "lat", "y"];
const wktNames = ["wkt", "geometry", "geom", "the_geom", "wkt_geom"];

/** The features of CSV with a header: coordinates in two columns, or WKT in one. */
export async function* csvFeatures(
  chunks: Chunks,
  options: SourceOptions,
  limitBytes: number = maximumFeatureBytes,
): AsyncGenerator<SourceFeature, void, void> {
  let columns: Columns | undefined;
  for await (const rows of rowsOf(chunks, limitBytes)) {
    for (const row of rows) {
      if (row.length === 1 && row[0]?.trim() === "") continue;
      if (columns === undefined) columns = new Columns(row, options);
      else yield columns.feature(row);
    }
  }
  if (columns === undefined) throw new FormatError("The file has no header");
}

async function* rowsOf(
  chunks: Chunks,
  limitBytes: number,
): AsyncGenerator<readonly string[][], void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  // A row that has not ended is parsed again at twice its length: each character a few times.
  let parsedFrom = 0;
  let delimiter: string | undefined;
  const parse = (isLast: boolean): string[][] => {
    if (delimiter === undefined) {
      const [line, named] = /^\uFEFF?sep=(.)\r?\n/i.exec(rest) ?? [];
      rest = rest.slice(line?.length ?? 0);
      delimiter = named ?? delimiterOf(rest);
    }
    const parser = new Papa.Parser({ delimiter, newline: "\n" });
    // The parser's rows are lists of texts, since it knows no header.
    const { data, meta } = parser.parse(rest, 0, !isLast) as Papa.ParseResult<string[]>;
    rest = isLast ? "" : rest.slice(meta.cursor);
    parsedFrom = 2 * rest.length;
    return data.map((row) => row.map((cell) => cell.replace(/\r$/, "")));
  };
  try {
    for await (const chunk of chunks) {
      rest += decoder.decode(chunk, { stream: true });
      if (rest.length < parsedFrom && rest.length <= limitBytes) continue;
      if (rest.includes("\n")) yield parse(false);
      else parsedFrom = 2 * rest.length;
      if (rest.length > limitBytes) throw new FormatError("A row is too long");
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new FormatError("The file is not UTF-8");
    throw error;
  }
  if (rest !== "") yield parse(true);
}

/** The delimiter that is most often in the header. */
function delimiterOf(text: string): string {
  const header = text.split("\n", 1)[0] ?? "";
  const counts = [",", ";", "\t", "|"].map((mark) => [mark, header.split(mark).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ",";
}

class Columns {
  readonly #names: readonly string[];
  readonly #id: number | undefined;
  readonly #wkt: number | undefined;
  readonly #longitude: number | undefined;
  readonly #latitude: number | undefined;

  constructor(header: readonly string[], options: SourceOptions) {
    this.#names = header.map((name) => name.replace(/^\uFEFF/, "").trim());
    const repeated = this.#names.find((name, at) => this.#names.indexOf(name) !== at);
    if (repeated !== undefined) throw new FormatError(`The column "${repeated}" is given twice`);
    this.#id = this.#find(options.id, ["id", "fid"]);
    this.#longitude = this.#find(options.longitude, longitudeNames);
    this.#latitude = this.#find(options.latitude, latitudeNames);
    this.#wkt = this.#find(options.wkt, wktNames);
    const hasBoth = this.#longitude !== undefined && this.#latitude !== undefined;
    if (this.#wkt !== undefined || hasBoth) return;
    throw new FormatError("The file has no columns longitude and latitude, and no column wkt");
  }

  feature(row: readonly string[]): SourceFeature {
    if (row.length !== this.#names.length) {
      return { fault: `has ${row.length} columns; the header has ${this.#names.length}` };
    }
    const placing = new Set([this.#wkt, this.#longitude, this.#latitude]);
    const properties = Object.fromEntries(
      this.#names.flatMap((name, at) => (placing.has(at) ? [] : [[name, row[at] ?? ""]])),
    );
    const id = this.#id === undefined ? undefined : idOf(row[this.#id]?.trim());
    const geometry = this.#geometry(row);
    return typeof geometry === "string" ? { fault: geometry } : { id, geometry, properties };
  }

  /** The geometry of a row, or why it has none. */
  #geometry(row: readonly string[]): object | string | null {
    if (this.#wkt !== undefined) return geometryOfText(row[this.#wkt] ?? "");
    const [x = "", y = ""] = [row[this.#longitude ?? 0]?.trim(), row[this.#latitude ?? 0]?.trim()];
    if (x === "" && y === "") return null;
    const coordinates = [numberOf(x), numberOf(y)];
    if (coordinates.includes(undefined)) return "has no numbers as its longitude and latitude";
    return { type: "Point", coordinates };
  }

  #find(wanted: string | undefined, usual: readonly string[]): number | undefined {
    if (wanted !== undefined) {
      const at = this.#names.indexOf(wanted);
      if (at < 0) throw new FormatError(`The file has no column "${wanted}"`);
      return at;
    }
    const at = this.#names.findIndex((name) => usual.includes(name.toLowerCase()));
    return at < 0 ? undefined : at;
  }
}

/** WKT, or GeoJSON as some databases write it into such a column. */
function geometryOfText(text: string): object | string | null {
  if (!text.trimStart().startsWith("{")) return geometryOfWkt(text);
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "has no valid GeoJSON";
  } catch {
    return "has no valid GeoJSON";
  }
}

/** The number of a cell. Degrees have no thousands, so that a comma begins their decimals. */
function numberOf(text: string): number | undefined {
  const written = text.replace("\u2212", "-").replace(",", ".");
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written) ? Number(written) : undefined;
}
