import { TextDecoder as TextDecoderOfAnyName } from "node:util";
import {
  byteOrderMark,
  decodeText,
  decoderNamed,
  undeclaredCharset,
  wideEncoding,
} from "../encoding.ts";

/** A larger message has only its first header recoded. */
const recodedBytesAtMost = 8 * 1024 * 1024;
const boundary = /boundary[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi;
const delimiter = /^--([^\r\n]{1,210})\r?\n/gm;
const charsetParameter = /(charset\*?\d*\*?[ \t]*=[ \t]*)(?:"([^"\r\n]{0,60})"|([^\s;"]{1,60}))/i;
const transferEncoding = /^content-transfer-encoding:[ \t]*([\w-]+)[^\r\n]*/im;
const textType = /^content-type:\s*text\/[a-z]+/im;
const encodedWord = /=\?([^?\s*]{1,60})(?:\*[^?\s]*)?\?([bq])\?([^?]{0,1000})\?=/gi;
const high = /[\x80-\xff]/;

/**
 * The message in UTF-8 where the library can't read it: text in UTF-16, UTF-7 and other encodings
 * that browsers do not know, header fields with unencoded letters. `unknown` has the names of
 * charsets that are not known here either.
 */
export async function withReadableCharsets(
  bytes: Uint8Array,
): Promise<{ message: Uint8Array; unknown: ReadonlySet<string> }> {
  const unknown = new Set<string>();
  const marked = byteOrderMark(bytes) ?? wideEncoding(bytes);
  const isWide = marked !== null;
  const read = isWide
    ? Buffer.from(new TextDecoder(marked).decode(bytes))
    : await withCharset(bytes);
  if (read.length > recodedBytesAtMost) return { message: read, unknown };
  const source = Buffer.from(read).toString("latin1");
  const isPlain = !high.test(source) && !/charset|=\?/i.test(source);
  if (isPlain && !isWide) return { message: read, unknown };
  const charset = charsetOf(source);
  const parts: string[] = [];
  for (const part of partsOf(source)) {
    parts.push(await recoded(part, { charset, isWide, unknown }));
  }
  return { message: Buffer.from(parts.join(""), "latin1"), unknown };
}

/** Delimiter lines, headers with their bodies, and what is between them, in order. */
function* partsOf(source: string): Generator<string> {
  const names = new Set([...source.matchAll(boundary)].map(([, a, b]) => a ?? b));
  let start = 0;
  for (const found of source.matchAll(delimiter)) {
    const [line, rest = ""] = found;
    const name = rest.trimEnd();
    if (!names.has(name) && !names.has(name.replace(/--$/, ""))) continue;
    yield source.slice(start, found.index);
    yield line;
    start = found.index + line.length;
  }
  yield source.slice(start);
}

interface Context {
  /** The first charset that the message declares. */
  readonly charset: string | undefined;
  /** The text was UTF-16, so what is not encoded further is UTF-8 now. */
  readonly isWide: boolean;
  readonly unknown: Set<string>;
}

async function recoded(part: string, context: Context): Promise<string> {
  const end = /\r?\n\r?\n/.exec(part);
  if (part.startsWith("--") || (end === null && !/^[!-9;-~]+:/.test(part))) return part;
  const header = await readableHeader(part.slice(0, end?.index), context);
  const body = end === null ? "" : part.slice(end.index);
  if (end === null || !textType.test(header)) return header + body;
  const encoding = transferEncoding.exec(header)?.[1]?.toLowerCase() ?? "7bit";
  const isRaw = encoding !== "base64" && encoding !== "quoted-printable";
  const charset = charsetOf(header) ?? "";
  if (context.isWide && isRaw) return header.replace(charsetParameter, "$1utf-8") + body;
  const decoder = charset === "" ? undefined : foreignDecoder(charset, context.unknown);
  if (decoder === undefined) return header + body;
  const text = decoder(bytesOf(body.slice(end[0].length), encoding));
  const named = header
    .replace(charsetParameter, "$1utf-8")
    .replace(transferEncoding, "Content-Transfer-Encoding: base64");
  const line = transferEncoding.test(header) ? "" : "\r\nContent-Transfer-Encoding: base64";
  const lines = Buffer.from(text).toString("base64").replace(/.{76}/g, "$&\r\n");
  return `${named}${line}${end[0]}${lines}\r\n`;
}

/** A header whose letters and encoded words the library can read. */
async function readableHeader(header: string, context: Context): Promise<string> {
  const words = header.replace(
    encodedWord,
    (whole, charset: string, encoding: string, content: string) => {
      const decoder = foreignDecoder(charset, context.unknown);
      if (decoder === undefined) return whole;
      const isBase64 = encoding.toLowerCase() === "b";
      const written = isBase64 ? content : content.replaceAll("_", " ");
      const bytes = bytesOf(written, isBase64 ? "base64" : "quoted-printable");
      return `=?utf-8?B?${Buffer.from(decoder(bytes)).toString("base64")}?=`;
    },
  );
  if (!high.test(words)) return words;
  const bytes = Buffer.from(words, "latin1");
  const isUtf8 = !new TextDecoder().decode(bytes).includes("\ufffd");
  if (isUtf8) return words;
  const declared = decoderNamed(charsetOf(header) ?? context.charset ?? "")?.decode(bytes);
  const isRight = declared !== undefined && !declared.includes("\ufffd");
  return Buffer.from(isRight ? declared : await decodeText(bytes)).toString("latin1");
}

/** Decodes an encoding that browsers do not know; undefined for those that they do. */
function foreignDecoder(
  charset: string,
  unknown: Set<string>,
): ((bytes: Uint8Array) => string) | undefined {
  if (/^utf-?(?:16|32)/i.test(charset)) {
    const isBig = /be$/i.test(charset);
    return (bytes) =>
      new TextDecoder(byteOrderMark(bytes) ?? (isBig ? "utf-16be" : "utf-16le")).decode(bytes);
  }
  if (isOfBrowsers(charset)) return undefined;
  const decoder = decoderNamed(charset);
  if (decoder === undefined) unknown.add(charset);
  return decoder && ((bytes) => decoder.decode(bytes));
}

function isOfBrowsers(charset: string): boolean {
  if (/^iso-2022-(?:kr|cn)|^hz-/i.test(charset)) return false;
  try {
    return new TextDecoderOfAnyName(charset).encoding !== "";
  } catch {
    return false;
  }
}

function charsetOf(header: string): string | undefined {
  const [, , quoted, bare] = charsetParameter.exec(header) ?? [];
  const charset = (quoted ?? bare)?.replace(/^[^']*'[^']*'/, "").trim();
  return charset === "" ? undefined : charset;
}

function bytesOf(body: string, encoding: string): Uint8Array {
  if (encoding === "base64") return Buffer.from(body, "base64");
  if (encoding !== "quoted-printable") return Buffer.from(body, "latin1");
  const text = body
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}

const textPart = /^content-type:[ \t]*text\/[a-z]+/gim;

/** The message with the charset of its text in its header, when no header names one. */
async function withCharset(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > recodedBytesAtMost) return bytes;
  const source = Buffer.from(bytes).toString("latin1");
  if (/charset\*?\d*\*?=/i.test(source)) return bytes;
  const isQuoted = /^content-transfer-encoding:[ \t]*quoted-printable/im.test(source);
  const written = isQuoted ? bytesOf(source, "quoted-printable") : Buffer.from(source, "latin1");
  const charset = await undeclaredCharset(written);
  if (charset === undefined) return bytes;
  const named = source.replace(textPart, (header) => `${header}; charset=${charset}`);
  const isMime = /^content-type:/im.test(source.slice(0, source.search(/\r?\n\r?\n/)));
  const header = isMime ? "" : `Content-Type: text/plain; charset=${charset}\r\n`;
  return Buffer.from(header + named, "latin1");
}
