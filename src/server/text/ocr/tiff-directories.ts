/** A directory of a TIFF file or of EXIF data (TIFF 6.0, section 2). */
export interface TiffDirectory {
  /** The offset of the directory in the bytes. */
  readonly at: number;
  /** The first value of a tag that has whole numbers. */
  valueOf(tag: number): number | undefined;
}

const entryBytes = 12;
const short = 3;

/** The directories in the order of their chain, which may end early in a damaged file. */
export function directoriesOf(bytes: Uint8Array, atMost: number): TiffDirectory[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = isLittleEndian(bytes);
  const found = new Map<number, TiffDirectory>();
  const fits = (at: number, length: number): boolean => at > 0 && at + length <= bytes.length;
  let at = fits(4, 4) ? view.getUint32(4, isLittle) : 0;
  while (fits(at, 2) && !found.has(at) && found.size < atMost) {
    const start = at + 2;
    const end = start + view.getUint16(at, isLittle) * entryBytes;
    if (!fits(start, end - start)) break;
    found.set(at, {
      at,
      valueOf(tag) {
        for (let entry = start; entry < end; entry += entryBytes) {
          if (view.getUint16(entry, isLittle) !== tag) continue;
          const isShort = view.getUint16(entry + 2, isLittle) === short;
          return isShort
            ? view.getUint16(entry + 8, isLittle)
            : view.getUint32(entry + 8, isLittle);
        }
        return undefined;
      },
    });
    at = fits(end, 4) ? view.getUint32(end, isLittle) : 0;
  }
  return [...found.values()];
}

/** Makes a directory the first one, in place. */
export function makeFirst(bytes: Uint8Array, { at }: TiffDirectory): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, at, isLittleEndian(bytes));
}

function isLittleEndian(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49;
}
