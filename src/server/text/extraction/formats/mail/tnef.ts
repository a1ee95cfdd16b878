import { charsetOfPage, decoderNamed } from "../encoding.ts";
import { decompressRtf } from "./compressed-rtf.ts";

/** A body or an attachment of a `winmail.dat`, to be read like an attachment of the message. */
export interface TnefFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const signature = 0x223e9f78;
/** Attributes of a stream (MS-OXTNEF 2.1.3.3). */
const attributes = {
  codePage: 0x00069007,
  body: 0x0002800c,
  properties: 0x00069003,
  attachment: 0x00069002,
  attachmentTitle: 0x00018010,
  attachmentData: 0x0006800f,
  attachmentProperties: 0x00069005,
};
/** Properties of a message and of an attachment (MS-OXPROPS). */
const properties = {
  plainBody: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  data: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
};
const embeddedObject = 0x0d;
const interfaceIdBytes = 16;

/** True for the bytes of a `winmail.dat` (TNEF). */
export function isTnef(bytes: Uint8Array): boolean {
  return bytes.length >= 6 && bufferOf(bytes).readUInt32LE(0) === signature;
}

/**
 * Reads the body and the attachments of a `winmail.dat` (MS-OXTNEF), which Outlook sends; a message
 * within it is a `.dat` again. Throws RangeError where the stream ends too early.
 */
export function readTnef(bytes: Uint8Array): TnefFile[] {
  const source = bufferOf(bytes);
  const files: { name: string; bytes: Uint8Array }[] = [];
  let charset = "windows-1252";
  let body: TnefFile | undefined;
  let at = 6;
  while (at + 9 <= source.length) {
    const id = source.readUInt32LE(at + 1);
    const length = source.readUInt32LE(at + 5);
    const data = source.subarray(at + 9, at + 9 + length);
    if (data.length < length) throw new RangeError("a TNEF attribute is cut off");
    at += 9 + length + 2;
    const file = files.at(-1);
    if (id === attributes.codePage) charset = charsetOfPage(data.readUInt32LE(0));
    else if (id === attributes.properties) body = bodyOf(propertiesOf(data), charset) ?? body;
    else if (id === attributes.body && body === undefined) body = plain(textOf(data, charset));
    else if (id === attributes.attachment) files.push({ name: "", bytes: new Uint8Array() });
    else if (file === undefined) continue;
    else if (id === attributes.attachmentTitle) file.name ||= textOf(data, charset);
    else if (id === attributes.attachmentData) file.bytes = data;
    else if (id === attributes.attachmentProperties) addProperties(file, data, charset);
  }
  const named = files.map((file) => ({
    filename: file.name === "" ? "attachment" : file.name,
    mediaType: "",
    bytes: file.bytes,
  }));
  return body === undefined ? named : [body, ...named];
}

function addProperties(
  file: { name: string; bytes: Uint8Array },
  data: Buffer,
  charset: string,
): void {
  const found = propertiesOf(data);
  for (const id of [properties.longFileName, properties.displayName, properties.fileName]) {
    const name = found.get(id);
    if (name === undefined) continue;
    file.name = stringOf(name, charset);
    break;
  }
  const content = found.get(properties.data);
  if (content === undefined) return;
  file.bytes =
    content.type === embeddedObject ? content.value.subarray(interfaceIdBytes) : content.value;
}

function bodyOf(found: ReadonlyMap<number, Property>, charset: string): TnefFile | undefined {
  const html = found.get(properties.html);
  if (html !== undefined) {
    return { filename: "body.html", mediaType: "text/html", bytes: html.value };
  }
  const rtf = found.get(properties.compressedRtf);
  if (rtf !== undefined) {
    const bytes = decompressRtf(rtf.value);
    return { filename: "body.rtf", mediaType: "application/rtf", bytes };
  }
  const text = found.get(properties.plainBody);
  return text === undefined ? undefined : plain(stringOf(text, charset));
}

function plain(text: string): TnefFile | undefined {
  const bytes = Buffer.from(text);
  return text === "" ? undefined : { filename: "body.txt", mediaType: "text/plain", bytes };
}

interface Property {
  readonly type: number;
  readonly value: Buffer;
}

const severalValues = 0x1000;
const sizes: Readonly<Record<number, number>> = {
  0x01: 4,
  0x02: 4,
  0x03: 4,
  0x04: 4,
  0x0a: 4,
  0x0b: 4,
  0x05: 8,
  0x06: 8,
  0x07: 8,
  0x14: 8,
  0x40: 8,
  0x48: 16,
};

/** The first value of each property by its ID (MS-OXTNEF 2.1.3.4). */
function propertiesOf(data: Buffer): ReadonlyMap<number, Property> {
  const found = new Map<number, Property>();
  let at = 4;
  for (let left = data.readUInt32LE(0); left > 0; left -= 1) {
    const type = data.readUInt16LE(at);
    const id = data.readUInt16LE(at + 2);
    at += 4;
    if (id >= 0x8000) at = afterName(data, at);
    const kind = type & 0xfff;
    const size = sizes[kind];
    let count = 1;
    if (size === undefined || (type & severalValues) !== 0) {
      count = data.readUInt32LE(at);
      at += 4;
    }
    for (let index = 0; index < count; index += 1) {
      const length = size ?? data.readUInt32LE(at);
      if (size === undefined) at += 4;
      const value = data.subarray(at, at + length);
      if (value.length < length) throw new RangeError("a TNEF property is cut off");
      if (index === 0) found.set(id, { type: kind, value });
      at += padded(length);
    }
  }
  return found;
}

/** A named property has its set, and then a number or a name. */
function afterName(data: Buffer, at: number): number {
  const isNumber = data.readUInt32LE(at + 16) === 0;
  return isNumber ? at + 24 : at + 24 + padded(data.readUInt32LE(at + 20));
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

const unicodeString = 0x1f;

function stringOf({ type, value }: Property, charset: string): string {
  return textOf(value, type === unicodeString ? "utf-16le" : charset);
}

function textOf(bytes: Uint8Array, charset: string): string {
  const text = decoderNamed(charset)?.decode(bytes) ?? bufferOf(bytes).toString("latin1");
  return text.replace(/\0+$/, "");
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
