import { crc32, inflateRawSync } from "node:zlib";
import { corrupt, encrypted, limitExceeded } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

/** A zip container whose entries are unpacked on demand, within the limits. */
export type ZipArchive = {
  names: ReadonlySet<string>;
  /** The entry's bytes, checked against its CRC-32; null if there is no such entry. */
  read(name: string): Uint8Array | null;
};

type Entry = {
  method: number;
  flags: number;
  crc: number;
  packedBytes: number;
  unpackedBytes: number;
  offset: number;
};

const endSignature = 0x06054b50;
const end64LocatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const commentBytesAtMost = 0xffff;

/**
 * Reads the directory of a zip file (APPNOTE 6.3.10, with zip64). Its sizes are not trusted, and
 * nothing is written to disk. `what` names the format in messages.
 */
export function openZip(bytes: Uint8Array, limits: ExtractionLimits, what: string): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view, what);
  if (directory.count > limits.zipEntries) {
    throw limitExceeded(`it has more than ${limits.zipEntries} parts`);
  }
  const entries = readDirectory(view, bytes, directory, what);
  let unpackedBytes = 0;

  return {
    names: new Set(entries.keys()),
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      if ((entry.flags & 1) !== 0) throw encrypted(what);
      const room = Math.min(limits.zipEntryBytes, limits.zipTotalBytes - unpackedBytes);
      if (entry.unpackedBytes > room) throw tooLarge(limits);
      const data = unpack(view, bytes, entry, what);
      unpackedBytes += data.length;
      if (crc32(data) !== entry.crc) throw corrupt(what);
      return data;
    },
  };
}

function tooLarge(limits: ExtractionLimits): Error {
  const mebibytes = Math.floor(limits.zipEntryBytes / 1024 / 1024);
  return limitExceeded(`one of its parts unpacks to more than ${mebibytes} MiB`);
}

function unpack(view: DataView, bytes: Uint8Array, entry: Entry, what: string): Uint8Array {
  const local = entry.offset;
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== localSignature) {
    throw corrupt(what);
  }
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const end = start + entry.packedBytes;
  if (end > bytes.length) throw corrupt(what);
  const packed = bytes.subarray(start, end);
  if (entry.method === 0) {
    if (entry.packedBytes !== entry.unpackedBytes) throw corrupt(what);
    return packed;
  }
  if (entry.method !== 8) throw corrupt(what);
  try {
    // An entry with more bytes than it declares fails here instead of using memory.
    const data = inflateRawSync(packed, { maxOutputLength: Math.max(entry.unpackedBytes, 1) });
    if (data.length !== entry.unpackedBytes) throw corrupt(what);
    return data;
  } catch (error) {
    throw corrupt(what, error);
  }
}

function findDirectory(view: DataView, what: string): { offset: number; count: number } {
  const last = view.byteLength - endBytes;
  const first = Math.max(0, last - commentBytesAtMost);
  for (let at = last; at >= first; at -= 1) {
    if (view.getUint32(at, true) !== endSignature) continue;
    const count = view.getUint16(at + 10, true);
    const offset = view.getUint32(at + 16, true);
    if (count !== 0xffff && offset !== 0xffffffff) return { offset, count };
    return findDirectory64(view, at, what);
  }
  throw corrupt(what);
}

function findDirectory64(
  view: DataView,
  end: number,
  what: string,
): { offset: number; count: number } {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== end64LocatorSignature) throw corrupt(what);
  const at = Number(view.getBigUint64(locator + 8, true));
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== end64Signature) {
    throw corrupt(what);
  }
  return {
    offset: Number(view.getBigUint64(at + 48, true)),
    count: Number(view.getBigUint64(at + 32, true)),
  };
}

function readDirectory(
  view: DataView,
  bytes: Uint8Array,
  directory: { offset: number; count: number },
  what: string,
): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  let at = directory.offset;
  for (let index = 0; index < directory.count; index += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) {
      throw corrupt(what);
    }
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const next = at + 46 + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw corrupt(what);
    const name = decoder.decode(bytes.subarray(at + 46, at + 46 + nameBytes));
    const entry: Entry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      unpackedBytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    readSizes64(view, at + 46 + nameBytes, extraBytes, entry);
    const key = name.replaceAll("\\", "/").replace(/^\/+/, "");
    if (!entries.has(key)) entries.set(key, entry);
    at = next;
  }
  return entries;
}

/** The extra field has the sizes of 4 GiB and more, whose short form is all ones. */
function readSizes64(view: DataView, start: number, length: number, entry: Entry): void {
  let at = start;
  while (at + 4 <= start + length) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (id === 1 && end <= start + length) {
      let field = at + 4;
      for (const name of ["unpackedBytes", "packedBytes", "offset"] as const) {
        if (entry[name] !== 0xffffffff || field + 8 > end) continue;
        entry[name] = Number(view.getBigUint64(field, true));
        field += 8;
      }
    }
    at = end;
  }
}
