import { isJsonObject } from "#lib/json/value.ts";
import { featureOfBytes, featureOfObject } from "./feature-object.ts";
import {
  FormatError,
  maximumFeatureBytes,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const maximumEnvelopeBytes = maximumFeatureBytes;
const longestKey = 64;

/** The bytes of one feature of a collection, or of a text of JSON without its features. */
interface Piece {
  readonly bytes: Buffer;
  readonly isFeature: boolean;
}

/**
 * Cuts texts of JSON into the bytes of their features, of which it keeps one at a time, and what is
 * around them. Most files have one text; one with a feature in each may have long lines or none.
 */
class FeatureSplitter {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInFeatures = false;
  /** The text between the last quotes outside of features, and the key of the current member. */
  #string: number[] = [];
  #key = "";
  /** The pieces of the feature that has begun. */
  #pieces: Buffer[] = [];
  #isInFeature = false;
  #size = 0;
  #envelope: Buffer[] = [];
  #envelopeSize = 0;

  /** The features and texts that end in this chunk. Throws FormatError. */
  *push(bytes: Uint8Array): Generator<Piece, void, void> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The place in the chunk from which no byte was kept yet.
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) {
        this.#inString(byte);
        continue;
      }
      if (byte === quote) {
        this.#isInString = true;
        this.#string = [];
      } else if (byte === openBrace || byte === openBracket) {
        if (this.#isInFeatures && this.#depth === 2) {
          if (byte !== openBrace) throw notFeature();
          from = at;
          this.#isInFeature = true;
        }
        this.#depth += 1;
        if (byte === openBracket && this.#depth === 2 && this.#key === "features") {
          this.#keepEnvelope(chunk.subarray(from, at + 1));
          this.#isInFeatures = true;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth -= 1;
        if (this.#isInFeature && this.#depth === 2) {
          this.#keepPiece(chunk.subarray(from, at + 1));
          from = at + 1;
          yield { bytes: this.#feature(), isFeature: true };
        } else if (this.#isInFeatures && this.#depth === 1) {
          this.#isInFeatures = false;
          from = at;
        } else if (this.#depth === 0) {
          this.#keepEnvelope(chunk.subarray(from, at + 1));
          from = at + 1;
          yield { bytes: this.#text(), isFeature: false };
        }
      } else if (this.#depth === 1) {
        if (byte === colon) this.#key = String.fromCharCode(...this.#string);
        else if (byte === comma) this.#key = "";
      } else if (this.#isInFeatures && this.#depth === 2 && byte !== comma && byte > 0x20) {
        throw notFeature();
      }
    }
    // The chunk's memory may be used again, so that its rest is copied.
    const rest = Buffer.from(chunk.subarray(from));
    if (this.#isInFeature) this.#keepPiece(rest);
    else this.#keepEnvelope(rest);
  }

  /** Returns the bytes after the last text. Throws FormatError for a file that has not ended. */
  end(): Buffer {
    if (this.#depth !== 0 || this.#isInString) throw new FormatError("The file ends too early");
    return this.#text();
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
    else if (this.#depth === 1 && this.#string.length < longestKey) this.#string.push(byte);
  }

  #keepPiece(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > maximumFeatureBytes) {
      throw new FormatError(`A feature has more than ${maximumFeatureBytes} bytes`);
    }
    this.#pieces.push(piece);
  }

  #keepEnvelope(piece: Buffer): void {
    // Between features are only commas and spaces.
    if (this.#isInFeatures) return;
    this.#envelopeSize += piece.length;
    if (this.#envelopeSize > maximumEnvelopeBytes) {
      throw new FormatError("The file is not a FeatureCollection of GeoJSON");
    }
    this.#envelope.push(Buffer.from(piece));
  }

  #text(): Buffer {
    const whole = Buffer.concat(this.#envelope);
    [this.#envelope, this.#envelopeSize, this.#key] = [[], 0, ""];
    return whole;
  }

  #feature(): Buffer {
    const [only] = this.#pieces;
    const whole =
      this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#isInFeature = false;
    return whole;
  }
}

/**
 * The features of GeoJSON: a FeatureCollection, one Feature or a geometry, or several such texts
 * after each other. Throws FormatError.
 */
export async function* geojsonFeatures(
  chunks: Chunks,
  options: SourceOptions,
): AsyncGenerator<SourceFeature, void, void> {
  const splitter = new FeatureSplitter();
  let texts = 0;
  let isCollection = false;
  for await (const chunk of chunks) {
    for (const { bytes, isFeature } of splitter.push(chunk)) {
      if (isFeature) {
        isCollection = true;
        yield featureOfBytes(bytes, options);
        continue;
      }
      const only = featureOfText(bytes, isCollection, options);
      if (only !== undefined) yield only;
      [isCollection, texts] = [false, texts + 1];
    }
  }
  const rest = textOf(splitter.end());
  if (rest.trim() !== "") throw new FormatError("The file is not JSON");
  if (texts === 0) throw new FormatError("The file is empty");
}

/** The feature of a text that is no collection. Throws FormatError. */
function featureOfText(
  bytes: Buffer,
  isCollection: boolean,
  options: SourceOptions,
): SourceFeature | undefined {
  const value = envelopeOf(bytes);
  const { type, crs, features } = value;
  if (typeof crs === "object" && crs !== null && !/CRS84|4326/.test(JSON.stringify(crs))) {
    throw new FormatError("The coordinates are not WGS 84: convert the file first");
  }
  if (type === "FeatureCollection" && Array.isArray(features)) return undefined;
  if (isCollection) throw new FormatError("The type of the file is not FeatureCollection");
  if (type === "Feature") return featureOfObject(value, options);
  return { id: undefined, geometry: value, properties: {} };
}

function envelopeOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    if (isJsonObject(value)) return value;
  } catch {
    throw new FormatError("The file is not JSON");
  }
  throw new FormatError("The file is not an object of GeoJSON");
}

/** The text after a byte order mark, and after a record separator of RFC 8142. */
function textOf(bytes: Buffer): string {
  return bytes.toString().replace(/^[\s\uFEFF\u001E]+/, "");
}

function notFeature(): FormatError {
  return new FormatError("The features have something that is not an object");
}
