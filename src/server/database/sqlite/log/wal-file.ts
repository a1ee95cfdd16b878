import { closeSync, openSync, readSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;
const littleEndianMagic = 0x377f0682;
const chunkFrames = 64;

/** A place in a write-ahead log: the generation of the log, and its last frame before the place. */
export interface LogPosition {
  /** The salts of the generation as 16 digits; a log that begins again has others. */
  readonly salt: string;
  /** The number of the frame, from 1; 0 before the first one. */
  readonly frame: number;
  /** The checksum of that frame, which covers all frames before it. */
  readonly checksum: readonly [number, number];
}

/** The committed pages after a position. */
export interface CommittedPages {
  readonly end: LogPosition;
  readonly pageBytes: number;
  /** Pages of the database after the last commit; 0 without a commit. */
  readonly databasePages: number;
  /** The last frame of each page. */
  readonly frames: ReadonlyMap<number, number>;
}

/**
 * A write-ahead log of SQLite, as https://www.sqlite.org/fileformat2.html describes it. Its bytes
 * are stable while a reader prevents that the log begins again.
 */
export class WalFile {
  private constructor(
    private readonly file: number,
    private readonly header: Buffer,
  ) {}

  /** Undefined for a log that is missing, empty or not begun. */
  static open(path: string): WalFile | undefined {
    let file: number;
    try {
      file = openSync(path, "r");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
    const header = Buffer.alloc(headerBytes);
    if (readSync(file, header, 0, headerBytes, 0) === headerBytes) {
      const wal = new WalFile(file, header);
      const [first, second] = wal.#checksum([0, 0], header.subarray(0, 24));
      if (header.readUInt32BE(24) === first && header.readUInt32BE(28) === second) return wal;
    }
    closeSync(file);
    return undefined;
  }

  close(): void {
    closeSync(this.file);
  }

  get salt(): string {
    return this.header.toString("hex", 16, 24);
  }

  get pageBytes(): number {
    return this.header.readUInt32BE(8);
  }

  /** The place before the first frame. */
  get start(): LogPosition {
    const checksum = [this.header.readUInt32BE(24), this.header.readUInt32BE(28)] as const;
    return { salt: this.salt, frame: 0, checksum };
  }

  /** True if the log still has the frame of a position. */
  has({ salt, frame, checksum }: LogPosition): boolean {
    if (salt !== this.salt) return false;
    if (frame === 0) return true;
    const found = Buffer.alloc(frameHeaderBytes);
    if (readSync(this.file, found, 0, frameHeaderBytes, this.#offset(frame)) < frameHeaderBytes) {
      return false;
    }
    return found.readUInt32BE(16) === checksum[0] && found.readUInt32BE(20) === checksum[1];
  }

  /** True if this is the generation after another one. */
  follows(salt: string): boolean {
    const before = Number.parseInt(salt.slice(0, 8), 16);
    return this.header.readUInt32BE(16) === (before + 1) >>> 0;
  }

  /** The pages of all transactions that were committed after a position of this log. */
  committedAfter(from: LogPosition): CommittedPages {
    const { pageBytes } = this;
    const frameBytes = frameHeaderBytes + pageBytes;
    const frames = new Map<number, number>();
    let open: [page: number, frame: number][] = [];
    let [end, checksum, databasePages] = [from, from.checksum, 0];
    const chunk = Buffer.alloc(chunkFrames * frameBytes);
    for (let frame = from.frame + 1; ;) {
      const read = readSync(this.file, chunk, 0, chunk.byteLength, this.#offset(frame));
      for (let at = 0; at + frameBytes <= read; at += frameBytes, frame += 1) {
        const header = chunk.subarray(at, at + frameHeaderBytes);
        const page = chunk.subarray(at + frameHeaderBytes, at + frameBytes);
        checksum = this.#checksum(this.#checksum(checksum, header.subarray(0, 8)), page);
        const isNext =
          header.toString("hex", 8, 16) === this.salt &&
          header.readUInt32BE(16) === checksum[0] &&
          header.readUInt32BE(20) === checksum[1];
        if (!isNext) return { end, pageBytes, databasePages, frames };
        open.push([header.readUInt32BE(0), frame]);
        const pages = header.readUInt32BE(4);
        // Only the last frame of a transaction has the size of the database.
        if (pages === 0) continue;
        for (const [number, last] of open) frames.set(number, last);
        open = [];
        [end, databasePages] = [{ salt: this.salt, frame, checksum }, pages];
      }
      if (read < chunk.byteLength) return { end, pageBytes, databasePages, frames };
    }
  }

  /** The page of a frame. */
  page(frame: number): Buffer {
    const page = Buffer.alloc(this.pageBytes);
    readSync(this.file, page, 0, page.byteLength, this.#offset(frame) + frameHeaderBytes);
    return page;
  }

  #offset(frame: number): number {
    return headerBytes + (frame - 1) * (frameHeaderBytes + this.pageBytes);
  }

  #checksum(before: readonly [number, number], bytes: Buffer): readonly [number, number] {
    let [one, two] = [before[0] | 0, before[1] | 0];
    if (this.header.readUInt32BE(0) === littleEndianMagic) {
      const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
      const numbers = new Int32Array(buffer, byteOffset, bytes.byteLength / 4);
      for (let at = 0; at < numbers.length; at += 2) {
        one = (one + (numbers[at] ?? 0) + two) | 0;
        two = (two + (numbers[at + 1] ?? 0) + one) | 0;
      }
      return [one >>> 0, two >>> 0];
    }
    // A log that a machine with another order of bytes has written.
    for (let at = 0; at < bytes.byteLength; at += 8) {
      one = (one + bytes.readInt32BE(at) + two) | 0;
      two = (two + bytes.readInt32BE(at + 4) + one) | 0;
    }
    return [one >>> 0, two >>> 0];
  }
}
