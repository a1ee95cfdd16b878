import { inflateSync } from "node:zlib";

/** A picture whose dots are numbers of colours. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each colour, one byte each. */
  readonly palette: Uint8Array;
  readonly dots: Uint8Array;
}

const withPalette = 3;
const headBytes = 8;

/** Reads a PNG with a palette (ISO 15948). Throws TypeError for another file. */
export function indexedPicture(png: Uint8Array): IndexedPicture {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const parts = new Map<string, Buffer[]>();
  for (let at = headBytes; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString("latin1", at + 4, at + 8);
    const part = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    parts.set(name, [...(parts.get(name) ?? []), part]);
  }
  const [header] = parts.get("IHDR") ?? [];
  const [palette] = parts.get("PLTE") ?? [];
  const isRead = header?.[9] === withPalette && header[12] === 0 && palette !== undefined;
  if (!isRead) throw new TypeError("this picture has no palette");
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8] ?? 8];
  const stride = Math.ceil((width * depth) / 8);
  const rows = inflateSync(Buffer.concat(parts.get("IDAT") ?? []), {
    maxOutputLength: (stride + 1) * height,
  });
  const plain = unfiltered(rows, stride, height);
  return { width, height, palette, dots: depth === 8 ? plain : unpacked(plain, width, depth) };
}

/** The rows without their filters; a dot has one byte at most. */
function unfiltered(rows: Uint8Array, stride: number, height: number): Uint8Array {
  const plain = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x === 0 ? 0 : (plain[at - 1] ?? 0);
      const above = y === 0 ? 0 : (plain[at - stride] ?? 0);
      const corner = x === 0 || y === 0 ? 0 : (plain[at - stride - 1] ?? 0);
      const value = rows[y * (stride + 1) + 1 + x] ?? 0;
      plain[at] = value + guess(filter, left, above, corner);
    }
  }
  return plain;
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const sum = left + above - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** One byte for each dot of rows that have several dots in a byte. */
function unpacked(rows: Uint8Array, width: number, depth: number): Uint8Array {
  const stride = Math.ceil((width * depth) / 8);
  const height = rows.length / stride;
  const dots = new Uint8Array(width * height);
  for (let at = 0; at < dots.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const bit = x * depth;
    const byte = rows[y * stride + (bit >> 3)] ?? 0;
    dots[at] = (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  }
  return dots;
}
