import { TextDecoder as TextDecoderOfAnyName } from "node:util";

/** How many bytes at the start are looked at for a charset declaration (WHATWG HTML, 13.2.3.2). */
const prescanBytes = 1024;

/**
 * Decodes text of unknown encoding: a byte order mark decides (UTF-8, UTF-16 either way), else
 * strict UTF-8, else the charset that the text itself declares (HTML `<meta>`, XML), else
 * windows-1252, the superset of Latin-1 that browsers use too, in which every byte means something.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decoderFor(charsetWithin(bytes)).decode(bytes);
  }
}

/** The encoding that a byte order mark at the start names, or null. */
export function byteOrderMark(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

function charsetWithin(bytes: Uint8Array): string {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, prescanBytes));
  const declared = /(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head);
  return declared?.[1] ?? "windows-1252";
}

function decoderFor(charset: string): { decode(bytes: Uint8Array): string } {
  try {
    const decoder = new TextDecoderOfAnyName(charset);
    // A text that calls itself UTF-8 but is not: Latin-1 is the better guess than holes.
    if (decoder.encoding !== "utf-8") return decoder;
  } catch {
    // An unknown name says nothing.
  }
  return new TextDecoder("windows-1252");
}
