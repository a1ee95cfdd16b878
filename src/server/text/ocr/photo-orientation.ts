import { directoriesOf } from "./tiff-directories.ts";

const upright = 1;
const orientation = 274;
const applicationData = 0xe1;
const startOfScan = 0xda;
const exifHeader = Buffer.from("Exif\0\0");

/** How the dots of a JPEG must be turned, from 1 to 8 as EXIF numbers it; 1 for other pictures. */
export function photoOrientation(picture: Uint8Array): number {
  if (picture[0] !== 0xff || picture[1] !== 0xd8) return upright;
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== startOfScan) {
    const data = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (bytes[at + 1] === applicationData && data.indexOf(exifHeader) === 0) {
      const [first] = directoriesOf(data.subarray(exifHeader.length), 1);
      const value = first?.valueOf(orientation) ?? upright;
      return value >= 1 && value <= 8 ? value : upright;
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return upright;
}
