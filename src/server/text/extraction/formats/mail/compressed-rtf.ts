/** The text that every dictionary starts with (MS-OXRTFCP 2.1.2.1). */
const start = Buffer.from(
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern " +
    "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0" +
    "\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx",
);
const dictionaryBytes = 4096;
const headerBytes = 16;
const compressed = 0x75465a4c;

/** The RTF of a message's compressed body (MS-OXRTFCP); a body cut short gives its start. */
export function decompressRtf(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (source.length < headerBytes) return source;
  if (source.readUInt32LE(8) !== compressed) return source.subarray(headerBytes);
  const dictionary = new Uint8Array(dictionaryBytes);
  dictionary.set(start);
  let end = start.length;
  const out: number[] = [];
  const add = (byte: number): void => {
    out.push(byte);
    dictionary[end] = byte;
    end = (end + 1) % dictionaryBytes;
  };
  let at = headerBytes;
  while (at < source.length) {
    let flags = source[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < source.length; bit += 1, flags >>= 1) {
      if ((flags & 1) === 0) {
        add(source[at++] ?? 0);
        continue;
      }
      const reference = ((source[at] ?? 0) << 8) | (source[at + 1] ?? 0);
      at += 2;
      const offset = reference >> 4;
      if (offset === end) return Uint8Array.from(out);
      for (let index = 0; index < (reference & 15) + 2; index += 1) {
        add(dictionary[(offset + index) % dictionaryBytes] ?? 0);
      }
    }
  }
  return Uint8Array.from(out);
}
