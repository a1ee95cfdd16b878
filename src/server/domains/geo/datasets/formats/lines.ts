import { featureOfBytes } from "./feature-object.ts";
import {
  FormatError,
  maximumFeatureBytes,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";

const [newline, recordSeparator] = [0x0a, 0x1e];
const byteOrderMark = Buffer.from("\uFEFF");

/**
 * The features of newline-delimited GeoJSON, or of a text sequence of GeoJSON (RFC 8142): a file
 * that begins with a record separator may have features of several lines.
 */
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

/** The lines or texts of a file without their ends. Throws FormatError for one that is too long. */
async function* linesOf(chunks: Chunks): AsyncGenerator<Buffer, void, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  let separator: number | undefined;
  const keep = (piece: Buffer): void => {
    size += piece.length;
    if (size > maximumFeatureBytes) {
      throw new FormatError(`A line has more than ${maximumFeatureBytes} bytes`);
    }
    pieces.push(piece);
  };
  for await (const bytes of withoutMark(chunks)) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    separator ??= chunk[0] === recordSeparator ? recordSeparator : newline;
    let from = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, from)) {
      keep(chunk.subarray(from, at));
      yield Buffer.concat(pieces);
      [pieces, size, from] = [[], 0, at + 1];
    }
    keep(Buffer.from(chunk.subarray(from)));
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** The bytes after a byte order mark, which a small first chunk may have a part of. */
async function* withoutMark(chunks: Chunks): AsyncGenerator<Uint8Array, void, void> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === undefined) yield chunk;
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < byteOrderMark.length) continue;
      yield afterMark(start);
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

function afterMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark;
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes;
}
