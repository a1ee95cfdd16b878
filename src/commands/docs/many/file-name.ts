const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const validParts =
  /((?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+)|[\x80-\xff]/g;

/** A file's name from its bytes; each byte that is not UTF-8 is shown as `\xDF`. */
export function fileNameOf(bytes: Uint8Array): { readonly name: string; readonly isUtf8: boolean } {
  try {
    return { name: utf8.decode(bytes), isUtf8: true };
  } catch {
    const name = Buffer.from(bytes)
      .toString("latin1")
      .replace(validParts, (part, valid: string | undefined) =>
        valid === undefined
          ? `\\x${part.charCodeAt(0).toString(16).toUpperCase()}`
          : Buffer.from(valid, "latin1").toString(),
      );
    return { name, isUtf8: false };
  }
}
