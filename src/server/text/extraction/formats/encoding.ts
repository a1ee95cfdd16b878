import { TextDecoder as TextDecoderOfAnyName } from "node:util";

/** The first bytes may declare a charset (WHATWG HTML, 13.2.3.2). */
const prescanBytes = 1024;

/**
 * Decodes text of unknown encoding: by its byte order mark, as strict UTF-8, by a declared charset
 * (HTML `<meta>`, XML), or as windows-1252, in which every byte is valid.
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
    // The text declares UTF-8 but is not valid UTF-8.
    if (decoder.encoding !== "utf-8") return decoder;
  } catch {
    // An unknown name is ignored.
  }
  return new TextDecoder("windows-1252");
}
