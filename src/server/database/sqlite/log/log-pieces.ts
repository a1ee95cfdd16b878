import { open, type FileHandle } from "node:fs/promises";
import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import { leaveLog } from "./copy-state.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";

/** The pages that were committed within a time, as part of a line of pieces without a gap. */
export interface LogPiece {
  readonly line: string;
  /** The number of the piece in its line, from 1. */
  readonly sequence: number;
  /** All its transactions were committed between these times, in milliseconds. */
  readonly since: number;
  readonly until: number;
  /** The generation of the log, and the frames that it has, from the one after `from`. */
  readonly salt: string;
  readonly from: number;
  readonly to: number;
}

const namePattern = /^(\d{10})\.(\d+)\.(\d+)\.([\da-f]{16})\.(\d+)\.(\d+)$/;

export function nameOfPiece({ sequence, since, until, salt, from, to }: LogPiece): string {
  return `${String(sequence).padStart(10, "0")}.${since}.${until}.${salt}.${from}.${to}`;
}

/** The piece that a name stands for; undefined for other names. */
export function pieceOfName(line: string, name: string): LogPiece | undefined {
  const [, sequence, since, until, salt = "", from, to] = namePattern.exec(name) ?? [];
  if (sequence === undefined) return undefined;
  const [number, begin, end] = [Number(sequence), Number(since), Number(until)];
  return {
    line,
    sequence: number,
    since: begin,
    until: end,
    salt,
    from: Number(from),
    to: Number(to),
  };
}

const pieceHeader = z.object({
  pageBytes: z.int().min(512).max(65_536),
  /** Pages of the database after the piece. */
  databasePages: z.int().min(1),
  pages: z.int().min(0),
});
export type PieceHeader = z.output<typeof pieceHeader>;

const headerBytes = 128;
const numberBytes = 4;

/** The first bytes of a piece; its pages follow, each after its number. */
export function writtenHeader(header: PieceHeader): Buffer {
  return Buffer.from(`${JSON.stringify(header).padEnd(headerBytes - 1)}\n`);
}

export function writtenPage(number: number, page: Uint8Array): Buffer {
  const bytes = Buffer.alloc(numberBytes + page.byteLength);
  bytes.writeUInt32BE(number, 0);
  bytes.set(page, numberBytes);
  return bytes;
}

/** The size of a whole piece. */
export function bytesOfPiece({ pageBytes, pages }: PieceHeader): number {
  return headerBytes + pages * (numberBytes + pageBytes);
}

/** The header in the first bytes of a piece; undefined for other bytes. */
export function readHeader(bytes: Uint8Array): PieceHeader | undefined {
  const text = Buffer.from(bytes.subarray(0, headerBytes)).toString();
  return pieceHeader.safeParse(parsedJson(text)).data;
}

/** Brings a database file, which no connection uses, to the state at the end of a piece. */
export async function applyPiece(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "r+");
  try {
    await writePages(file, content);
    await leaveLog(file);
  } finally {
    await file.close();
  }
}

async function writePages(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let rest: Uint8Array = new Uint8Array();
  let header: PieceHeader | undefined;
  let written = 0;
  for await (const chunk of content) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (header === undefined) {
      if (rest.byteLength < headerBytes) continue;
      header = readHeader(rest);
      if (header === undefined) throw new DamagedFileError("A piece of the log has no header");
      rest = rest.subarray(headerBytes);
    }
    const size = numberBytes + header.pageBytes;
    let at = 0;
    for (; at + size <= rest.byteLength; at += size) {
      const number = Buffer.from(rest.buffer, rest.byteOffset + at, numberBytes).readUInt32BE(0);
      const page = rest.subarray(at + numberBytes, at + size);
      await file.write(page, 0, page.byteLength, (number - 1) * header.pageBytes);
      written += 1;
    }
    rest = rest.subarray(at);
  }
  if (header === undefined || rest.byteLength > 0 || written !== header.pages) {
    throw new DamagedFileError("A piece of the log is not whole");
  }
  await file.truncate(header.databasePages * header.pageBytes);
}
