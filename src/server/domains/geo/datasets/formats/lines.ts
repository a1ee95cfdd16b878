import { featureOfBytes } from "./feature-object.ts";
import {
  FormatError,
  maximumFeatureBytes,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";

const [newline, recordSeparator] = [0x0a, 0x1e];

/** The features of newline-delimited GeoJSON, also with record separators (RFC 8142). */
export async function* lineFeatures(
  chunks: Chunks,
  options: SourceOptions,
): AsyncGenerator<SourceFeature, void, void> {
  for await (const line of linesOf(chunks)) {
    const start = line[0] === recordSeparator ? 1 : 0;
    const bytes = line.subarray(start);
    if (bytes.toString("latin1").trim() === "") continue;
    yield featureOfBytes(bytes, options);
  }
}

/** The lines of a file without their ends. Throws FormatError for one that is too long. */
async function* linesOf(chunks: Chunks): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  const keep = (piece: Buffer): void => {
    size += piece.length;
    if (size > maximumFeatureBytes) {
      throw new FormatError(`A line has more than ${maximumFeatureBytes} bytes`);
    }
    pieces.push(piece);
  };
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      yield Buffer.concat(pieces);
      [pieces, size, from] = [[], 0, at + 1];
    }
    keep(Buffer.from(chunk.subarray(from)));
  }
  if (size > 0) yield Buffer.concat(pieces);
}
