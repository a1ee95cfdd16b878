/**
 * The end of an archive: a skippable frame of Zstandard (RFC 8878, 3.1.2) with the SHA-256 digest
 * of all bytes before it. Other programs that read Zstandard pass over it.
 */
const magic = 0x184d2a53;
const digestBytes = 32;
export const trailerBytes = 8 + digestBytes;

export function trailerOf(digest: Uint8Array): Uint8Array {
  const frame = new Uint8Array(trailerBytes);
  const view = new DataView(frame.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, digestBytes, true);
  frame.set(digest, 8);
  return frame;
}
