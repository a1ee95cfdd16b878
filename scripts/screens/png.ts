import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A picture as dots of red, green and blue, row after row. */
export interface Dots {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const signature = Buffer.from("\u0089PNG\r\n\u001a\n", "latin1");
const mostColours = 256;

/** Reads a PNG (ISO 15948) of 8 bits without interlacing, with or without transparency. */
export function readPng(bytes: Uint8Array): Dots {
  const file = Buffer.from(bytes);
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  const kind = header?.[9];
  if (header === undefined || header[8] !== 8 || header[12] !== 0 || (kind !== 2 && kind !== 6)) {
    throw new TypeError("only PNG files of 8 bits in colours can be read");
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = kind === 2 ? 3 : 4;
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const rgb = new Uint8Array(width * height * 3);
  for (let dot = 0; dot < width * height; dot += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      rgb[dot * 3 + channel] = rows[dot * channels + channel] ?? 0;
    }
  }
  return { width, height, rgb };
}

/** Adds what the filter of each row has left out. */
function unfiltered(rows: Uint8Array, stride: number, height: number, step: number): Uint8Array {
  const result = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < step ? 0 : (result[at - step] ?? 0);
      const above = y === 0 ? 0 : (result[at - stride] ?? 0);
      const corner = x < step || y === 0 ? 0 : (result[at - stride - step] ?? 0);
      const added = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter];
      result[at] = (rows[y * (stride + 1) + 1 + x] ?? 0) + (added ?? 0);
    }
  }
  return result;
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const away = [left, above, corner].map((value) => Math.abs(guess - value));
  const [toLeft = 0, toAbove = 0, toCorner = 0] = away;
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** A PNG with a table of at most 256 of its colours; others become the nearest of them. */
export function writePng({ width, height, rgb }: Dots): Uint8Array {
  const counts = new Map<number, number>();
  const colourAt = (dot: number): number =>
    ((rgb[dot * 3] ?? 0) << 16) | ((rgb[dot * 3 + 1] ?? 0) << 8) | (rgb[dot * 3 + 2] ?? 0);
  for (let dot = 0; dot < width * height; dot += 1) {
    const colour = colourAt(dot);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const table = tableOf(counts);
  const indexes = new Map(table.map((colour, index) => [colour, index]));
  const rows = new Uint8Array((width + 1) * height);
  for (let dot = 0; dot < width * height; dot += 1) {
    const colour = colourAt(dot);
    let index = indexes.get(colour);
    if (index === undefined) {
      index = nearestOf(table, colour);
      indexes.set(colour, index);
    }
    rows[Math.floor(dot / width) * (width + 1) + 1 + (dot % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each dot, which are numbers of the table.
  header.set([8, 3], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(table.flatMap(channelsOf))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * The colours of the table: the most frequent one, then each time the colour whose dots would be
 * furthest from the table. The colour of one word is rare and keeps its place in that way.
 */
function tableOf(counts: ReadonlyMap<number, number>): number[] {
  const colours = [...counts].toSorted(([, one], [, other]) => other - one);
  const distances = colours.map(() => Infinity);
  const table: number[] = [];
  for (let next = 0; table.length < Math.min(mostColours, colours.length);) {
    const added = colours[next]?.[0] ?? 0;
    table.push(added);
    let worst = -1;
    for (const [index, [colour, count]] of colours.entries()) {
      const least = Math.min(distances[index] ?? 0, distanceOf(added, colour));
      distances[index] = least;
      if (least * count <= worst) continue;
      worst = least * count;
      next = index;
    }
  }
  return table;
}

function distanceOf(one: number, other: number): number {
  const [red, green, blue] = channelsOf(one);
  const [r, g, b] = channelsOf(other);
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
}

function channelsOf(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearestOf(table: readonly number[], colour: number): number {
  let [found, least] = [0, Infinity];
  for (const [index, other] of table.entries()) {
    const away = distanceOf(other, colour);
    if (away < least) [found, least] = [index, away];
  }
  return found;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
