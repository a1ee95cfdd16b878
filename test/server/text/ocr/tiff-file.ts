/** A picture of gray dots, one byte each. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly dots: Uint8Array;
  readonly isReduced?: boolean;
}

/** A TIFF file of uncompressed pictures; its last four bytes are the end of their chain. */
export function tiffFile(pictures: readonly GrayPicture[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from("II*\0\0\0\0\0", "latin1")];
  let length = 8;
  let link = parts[0]?.subarray(4);
  for (const { width, height, dots, isReduced = false } of pictures) {
    const entries = [
      [254, isReduced ? 1 : 0],
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, length],
      [277, 1],
      [278, height],
      [279, dots.length],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, [tag = 0, value = 0]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(4, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    link?.writeUInt32LE(length + dots.length, 0);
    link = directory.subarray(-4);
    parts.push(Buffer.from(dots), directory);
    length += dots.length + directory.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}
