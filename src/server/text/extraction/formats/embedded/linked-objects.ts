import type { CFolder, Reader } from "@kenjiuno/msgreader/lib/Reader";
import { decoderNamed } from "../encoding.ts";

export interface EmbeddedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An object of a document is a file, a formula, data without text, or something unknown. */
export type ObjectContent = EmbeddedFile | "formula" | "nothing" | "unknown";

const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** Streams that may be a whole file of another kind (MS-OLEDS, OpenDocument in OLE). */
const wholeFiles: readonly string[] = ["Package", "package", "EmbeddedOdf", "CONTENTS"];
/** Streams of documents, also of an encrypted one, that the compound file is itself. */
const documents =
  /^(?:WordDocument|Workbook|Book|PowerPoint Document|VisioDocument|EncryptedPackage|__(?:properties_version|substg)1\.0.*)$/;
const packed = "\u0001Ole10Native";

/**
 * The content of an object that another program has put into a document (MS-OLEDS). A file that is
 * no compound one is the content itself.
 */
export async function contentOfObject(name: string, bytes: Uint8Array): Promise<ObjectContent> {
  const start = bytes.subarray(0, compoundFile.length);
  // The content of a link is elsewhere.
  if (olderLink.equals(start)) return "nothing";
  const older = olderObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (older !== undefined) {
    if (older.program !== "Package") return await contentOfObject(name, older.data);
    return fileOfPackage(name, Buffer.concat([Buffer.alloc(lengthBytes), older.data]));
  }
  const root = compoundFile.equals(start) ? await rootOf(bytes) : undefined;
  if (root === undefined) return { name, bytes };
  const streams = root.fileNames();
  for (const each of wholeFiles) {
    const content = streams.includes(each) ? root.readFile(each) : null;
    if (content !== null && isFile(content)) return { name, bytes: content };
  }
  if (streams.includes(packed)) return fileOfPackage(name, root.readFile(packed));
  if (streams.includes("Equation Native")) return "formula";
  if (streams.some((each) => documents.test(each))) return { name, bytes };
  // Data of a program's extension is no object that a page shows.
  return streams.some((each) => /^\u0001(?:CompObj|Ole)$/.test(each)) ? "unknown" : "nothing";
}

const olderVersion = Buffer.from([1, 5, 0, 0, 2, 0, 0, 0]);
const olderLink = Buffer.from([1, 5, 0, 0, 1, 0, 0, 0]);

/** The program and the data of an object in the form that RTF files have (MS-OLEDS 2.2.5). */
function olderObject(file: Buffer): { program: string; data: Buffer } | undefined {
  if (!file.subarray(0, olderVersion.length).equals(olderVersion)) return undefined;
  let at = olderVersion.length;
  const next = (): Buffer => {
    const start = Math.min(at + lengthBytes, file.length);
    const length = start === at + lengthBytes ? file.readUInt32LE(at) : 0;
    at = Math.min(start + length, file.length);
    return file.subarray(start, at);
  };
  const program = next().toString("latin1").replace(/\0.*$/s, "");
  // The name of the document and of the part that the object was taken from come before the data.
  next();
  next();
  return { program, data: next() };
}

/** Undefined for a damaged file, for which the library has errors of many kinds. */
async function rootOf(bytes: Uint8Array): Promise<CFolder | undefined> {
  const { default: MessageReader } = await import("@kenjiuno/msgreader");
  try {
    // The library reads compound files of any kind with a part that its types do not name.
    const reader: unknown = Reflect.get(new MessageReader(Uint8Array.from(bytes).buffer), "reader");
    if (!isReader(reader)) return undefined;
    reader.parse();
    return reader.rootFolder();
  } catch {
    return undefined;
  }
}

function isReader(value: unknown): value is Reader {
  return typeof value === "object" && value !== null && "rootFolder" in value;
}

/** A PDF, or a zip file as the documents of today are. */
function isFile(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  return start.includes("%PDF-") || start.startsWith("PK\u0003\u0004");
}

/**
 * The file that Windows has packed: its length, its name, its paths and its bytes. Other programs
 * have their own data in such a stream (MS-OLEDS 2.3.6).
 */
function fileOfPackage(name: string, content: Uint8Array | null): EmbeddedFile {
  const stream = Buffer.from(content ?? []);
  const rest = Uint8Array.from(stream.subarray(lengthBytes));
  try {
    return packedFile(stream) ?? { name, bytes: rest };
  } catch (error) {
    if (error instanceof RangeError) return { name, bytes: rest };
    throw error;
  }
}

const lengthBytes = 4;
const isPacked = 2;
const isStored = 3;

function packedFile(stream: Buffer): EmbeddedFile | undefined {
  if (stream.readUInt16LE(lengthBytes) !== isPacked) return undefined;
  const [label, afterLabel] = ended(stream, lengthBytes + 2);
  const [, afterPath] = ended(stream, afterLabel);
  if (stream.readUInt16LE(afterPath + 2) !== isStored) return undefined;
  const at = afterPath + 8 + stream.readUInt32LE(afterPath + 4);
  const length = stream.readUInt32LE(at);
  const bytes = Uint8Array.from(stream.subarray(at + lengthBytes, at + lengthBytes + length));
  // The label may be a whole path.
  const name = label.slice(Math.max(label.lastIndexOf("\\"), label.lastIndexOf("/")) + 1);
  return { name, bytes };
}

/** A text that a zero byte ends, and the place after that. */
function ended(stream: Buffer, start: number): [text: string, after: number] {
  const end = stream.indexOf(0, start);
  if (end === -1) throw new RangeError("a text has no end");
  const bytes = stream.subarray(start, end);
  const text = new TextDecoder().decode(bytes);
  const isUtf8 = !text.includes("\ufffd");
  return [isUtf8 ? text : (decoderNamed("windows-1252")?.decode(bytes) ?? text), end + 1];
}
