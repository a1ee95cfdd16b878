import { crc32, deflateSync } from "node:zlib";

/** A picture in a format that vision models read. */
export interface ModelPicture {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Models shrink larger pictures themselves. */
const longestSide = 1_800;
const bytesAtMost = 2_500_000;

const formats: readonly {
  readonly mediaType: string;
  readonly at: number;
  readonly text: string;
}[] = [
  { mediaType: "image/png", at: 1, text: "PNG" },
  { mediaType: "image/jpeg", at: 0, text: "\u00ff\u00d8\u00ff" },
  { mediaType: "image/webp", at: 8, text: "WEBP" },
];

/**
 * A picture of a page for a model: gray pictures (PGM) as a PNG of at most 1,800 dots a side, files
 * up to 2.5 MB as they are; undefined for others.
 */
export function modelPicture(bytes: Uint8Array): ModelPicture | undefined {
  const head = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  const gray = grayDots(bytes);
  const picture =
    gray === undefined
      ? { mediaType: formats.find(({ at, text }) => head.startsWith(text, at))?.mediaType, bytes }
      : { mediaType: "image/png", bytes: grayPng(gray.dots, { ...gray, step: stepOf(gray) }) };
  const { mediaType } = picture;
  if (mediaType === undefined || picture.bytes.length > bytesAtMost) return undefined;
  return { mediaType, bytes: picture.bytes };
}

function stepOf({ width, height }: { width: number; height: number }): number {
  return Math.max(1, Math.ceil(Math.max(width, height) / longestSide));
}

/** The dots of a gray picture (PGM), one byte each; undefined for other files. */
export function grayDots(
  bytes: Uint8Array,
): { readonly dots: Uint8Array; readonly width: number; readonly height: number } | undefined {
  const head = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  const gray = /^P5\n(\d{1,6}) (\d{1,6})\n255\n/.exec(head);
  if (gray === null) return undefined;
  const [header, width, height] = gray;
  return {
    dots: bytes.subarray(header.length),
    width: Number(width),
    height: Number(height),
  };
}

/** A PNG (ISO 15948) of gray dots, each the mean of the square of `step` that it stands for. */
export function grayPng(
  dots: Uint8Array,
  { width, height, step }: { width: number; height: number; step: number },
): Uint8Array {
  const [wide, high] = [
    Math.max(1, Math.floor(width / step)),
    Math.max(1, Math.floor(height / step)),
  ];
  // Each row begins with its filter, which is none.
  const rows = new Uint8Array((wide + 1) * high);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      let sum = 0;
      for (let down = 0; down < step; down += 1) {
        for (let right = 0; right < step; right += 1) {
          sum += dots[(y * step + down) * width + x * step + right] ?? 255;
        }
      }
      rows[y * (wide + 1) + x + 1] = Math.round(sum / (step * step));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(wide, 0);
  header.writeUInt32BE(high, 4);
  // 8 bits for each dot; the gray kind is 0.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
