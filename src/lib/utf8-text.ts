/**
 * The text of bytes in UTF-8, without a mark at its beginning. `undefined` for other encodings: for
 * bytes that are no UTF-8, and for NUL characters, which are what UTF-16 looks like without its mark.
 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
