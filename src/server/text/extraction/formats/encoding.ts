import iconv from "iconv-lite";
import { decodeJohab, decodeShiftedKorean } from "./korean.ts";
import { areThai, foreignWords, likelinessOf } from "./likely-text.ts";
import { TextDecoder as TextDecoderOfAnyName } from "node:util";

/** The first bytes may declare a charset (WHATWG HTML, 13.2.3.2). */
const prescanBytes = 1024;
const lateBytes = 16 * 1024;
const wideSampleBytes = 4096;
const sampleBytes = 64 * 1024;
/** The library's confidence, of 100, below which text is windows-1252. */
const leastConfidence = 25;
/** It is less sure of Thai, which it takes for Chinese or Korean. */
const sureConfidence = 80;

/**
 * Decodes text of unknown encoding: by its byte order mark, as UTF-16 or UTF-8 that its bytes show,
 * by a declared charset (HTML `<meta>`, XML), by the frequencies of its letters, as an encoding of
 * DOS or the Mac where that leaves fewer characters out of place, or as windows-1252, in which
 * every byte is valid.
 */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  if (isUtf32(bytes)) return asUtf32(bytes);
  const marked = byteOrderMark(bytes) ?? wideEncoding(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  const unicode = asUtf8(bytes);
  if (unicode !== undefined) return unicode;
  const declared = charsetWithin(bytes);
  const text = declared === undefined ? undefined : decoded(bytes, declared);
  if (text !== undefined && !text.includes(replacement)) return text;
  const found = await detectedCharset(bytes);
  const likely = (found === undefined ? text : decoded(bytes, found)) ?? decodedAs1252(bytes);
  return text === undefined && isOfSingleBytes(found) ? olderText(bytes, likely) : likely;
}

/** Encodings of DOS and of older Macs, which the library does not know. */
const olderCharsets = "cp850 cp437 cp852 ibm866 macintosh x-mac-cyrillic cp855".split(" ");
/** Share of misplaced characters from which another encoding is tried. */
const leastMisplaced = 0.15;
/** A few letters more in a similar encoding are chance. */
const leastGain = 0.1;

/** The text in one of the older encodings, where the likely one has characters out of place. */
function olderText(bytes: Uint8Array, likely: string): string {
  const { misplaced, worth, judged } = likelinessOf(likely);
  if (misplaced < leastMisplaced && !/[\x80-\x9f]/.test(likely)) return likely;
  // Each character is one byte.
  const start = bytes.subarray(0, judged);
  let best: string | undefined;
  let most = worth - leastGain;
  for (const charset of olderCharsets) {
    const text = decoded(start, charset);
    if (text === undefined) continue;
    const likeliness = likelinessOf(text);
    if (likeliness.worth <= most + leastGain) continue;
    if (likeliness.misplaced > misplaced / 3) continue;
    best = charset;
    most = likeliness.worth;
  }
  return (best === undefined ? undefined : decoded(bytes, best)) ?? likely;
}

function isOfSingleBytes(charset: string | undefined): boolean {
  return charset === undefined || /^(?:windows-|iso-8859-|koi8)/i.test(charset);
}

export function byteOrderMark(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

/** True if bytes begin with the byte order mark of UTF-32. */
export function isUtf32(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  return (
    (first === 0xff && second === 0xfe && third === 0 && fourth === 0) ||
    (first === 0 && second === 0 && third === 0xfe && fourth === 0xff)
  );
}

function asUtf32(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0xff;
  let text = "";
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    text += point > 0x10ffff ? replacement : String.fromCodePoint(point);
  }
  return text.toWellFormed();
}

const replacement = "\ufffd";
/** No other encoding of text has these bytes. */
const wideByte = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;
const plausible = /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\r\t]/gu;
/** ASCII, and the signs and syllables that Chinese, Japanese and Korean sentences have. */
const common = /[\x20-\x7e\n\r\t\u3001\u3002\u3040-\u30ff\uff0c]/g;

/** UTF-16 without a byte order mark, by the characters that it gives; null for other bytes. */
export function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const sample = bytes.subarray(0, Math.min(wideSampleBytes, bytes.length) & ~1);
  if (!wideByte.test(latin(sample))) return null;
  let best: "utf-16le" | "utf-16be" | null = null;
  let most = 0;
  for (const name of ["utf-16le", "utf-16be"] as const) {
    // A pair of surrogates may be cut at the end.
    const text = new TextDecoder(name).decode(sample).replace(/\ufffd$/, "");
    const likely = text.match(plausible)?.length ?? 0;
    const known = text.match(common)?.length ?? 0;
    if (likely < Array.from(text).length * 0.97 || known < text.length / 200 || known <= most)
      continue;
    best = name;
    most = known;
  }
  return best;
}

/** The text when the bytes are UTF-8, also with a few broken ones; not for 7-bit Japanese. */
function asUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8").decode(bytes);
  if (!text.includes(replacement)) {
    if (!text.includes("\x1b$")) return text;
    return decoded(bytes, text.includes("\x1b$)C") ? "iso-2022-kr" : "iso-2022-jp") ?? text;
  }
  const broken = text.split(replacement).length - 1;
  const whole = (text.match(/[^\x00-\x7f]/gu)?.length ?? 0) - broken;
  return broken * 20 <= whole ? text : undefined;
}

function charsetWithin(bytes: Uint8Array): string | undefined {
  const head = latin(bytes.subarray(0, prescanBytes));
  const found = /(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
  if (found !== undefined) return found;
  // Scripts and styles may come before it; browsers then read the page again.
  const more = latin(bytes.subarray(0, lateBytes));
  return /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(more)?.[1];
}

/** Asks the library, which knows the frequent letters and words of many languages. */
async function detectedCharset(bytes: Uint8Array): Promise<string | undefined> {
  const { analyse } = await import("chardet");
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = bytes.lastIndexOf(0x0a, first) + 1;
  const sample = bytes.subarray(Math.max(from, first - prescanBytes), first + sampleBytes);
  const ranked = analyse(sample);
  const isSure = (ranked[0]?.confidence ?? 0) >= sureConfidence;
  if (!isSure && areThai(sample)) return "windows-874";
  const likely = likelyCharset(bytes, ranked);
  const words = isOfSingleBytes(likely) ? foreignWords(sample) : undefined;
  if (words === undefined) return likely;
  // Tags, names and numbers hide a script that is not Latin.
  const found = likelyCharset(bytes, analyse(words));
  return found !== undefined && isOfScript.test(found) ? found : likely;
}

/** Encodings of one byte of scripts that are not Latin. */
const isOfScript = /^(?:windows-125[1356]|iso-8859-[5-8]|koi8-r)$/i;

/** The first of the charsets, the likeliest first, in which the bytes are text. */
function likelyCharset(
  bytes: Uint8Array,
  charsets: readonly { name: string; confidence: number }[],
): string | undefined {
  for (const { name, confidence } of charsets) {
    if (confidence < leastConfidence) return undefined;
    const charset = wider[name] ?? name;
    const text = decoded(bytes, charset);
    if (text !== undefined && !text.includes(replacement)) return charset;
  }
  return undefined;
}

/** Encodings of Windows that have all characters of the standard one, and more. */
const wider: Readonly<Record<string, string>> = {
  "ISO-8859-1": "windows-1252",
  "ISO-8859-8": "windows-1255",
  "ISO-8859-9": "windows-1254",
};

/** Undefined for an unknown name, and for UTF-8: then the bytes are valid UTF-8 already. */
function decoded(bytes: Uint8Array, charset: string): string | undefined {
  const decoder = decoderNamed(charset);
  return decoder === undefined || decoder.encoding === "utf-8" ? undefined : decoder.decode(bytes);
}

/** The decoder of a charset, by any of its usual names; undefined for an unknown one. */
export function decoderNamed(charset: string): CharsetDecoder | undefined {
  // The runtime takes this name for another one, which gives a single character.
  if (/^iso-2022-kr$/i.test(charset.trim())) return foreignCharset(charset);
  try {
    return new TextDecoderOfAnyName(charset);
  } catch {
    return foreignCharset(charset);
  }
}

/** Names of code pages of Windows that no number with a prefix is the name of. */
const charsetsOfPages: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1361: "johab",
  20127: "us-ascii",
  20866: "koi8-r",
  21866: "koi8-u",
  50220: "iso-2022-jp",
  50225: "iso-2022-kr",
  51932: "euc-jp",
  51936: "gbk",
  51949: "euc-kr",
  54936: "gb18030",
  65001: "utf-8",
};

/** The name of the encoding that a code page of Windows is (MS-OXCMAIL 2.1.3.1.7). */
export function charsetOfPage(page: number): string {
  const known = charsetsOfPages[page];
  if (known !== undefined) return known;
  return page >= 28591 && page <= 28605 ? `iso-8859-${page - 28590}` : `windows-${page}`;
}

function decodedAs1252(bytes: Uint8Array): string {
  return new TextDecoder("windows-1252").decode(bytes);
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** The charset of a message's text whose header names none. */
export async function undeclaredCharset(bytes: Uint8Array): Promise<string | undefined> {
  return asUtf8(bytes) === undefined ? await detectedCharset(bytes) : undefined;
}

export interface CharsetDecoder {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** Codecs of the library that are no charsets. */
const noCharset = /^(?:base64|hex|binary|ucs2|internal)$/i;

/** A decoder of encodings that browsers do not know, e.g. UTF-7, Johab and those of DOS. */
function foreignCharset(charset: string): CharsetDecoder | undefined {
  const encoding = charset
    .trim()
    .toLowerCase()
    .replace(/^(?:x-|cs)/, "");
  if (/^iso-?2022-?kr$/.test(encoding)) return { encoding, decode: decodeShiftedKorean };
  if (/^(?:johab|cp-?1361|ms1361|windows-1361)$/.test(encoding)) {
    return { encoding, decode: decodeJohab };
  }
  const name = encoding.replace(/^(?:ibm|dos)?-?(\d{3})$/, "cp$1");
  if (noCharset.test(name) || !iconv.encodingExists(name)) return undefined;
  return { encoding: name, decode: (bytes) => iconv.decode(Buffer.from(bytes), name) };
}
