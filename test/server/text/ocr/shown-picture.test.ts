import { join } from "node:path";
import { expect, test } from "vitest";
import { ExtractionError } from "#server/text/extraction/extraction-error.ts";
import { shownPicture } from "#server/text/ocr/shown-picture.ts";
import { notice } from "./notice.ts";
import { tiffFile } from "./tiff-file.ts";

const dots = new Uint8Array(400 * 200).fill(255).fill(0, 0, 400 * 100);
const gray = Buffer.concat([Buffer.from("P5\n400 200\n255\n"), dots]);

async function sizeOf(bytes: Uint8Array): Promise<string> {
  const { width, height, format } = await new Bun.Image(bytes).metadata();
  return `${format} ${width}x${height}`;
}

test.each([
  ["gray dots of a PDF", async () => gray, 100, "png 100x50"],
  ["gray dots that are smaller", async () => gray, 1_000, "png 400x200"],
  ["a PNG file", async () => await Bun.file(notice).bytes(), 850, "png 850x320"],
  ["a TIFF file", async () => tiffFile([{ width: 400, height: 200, dots }]), 40, "png 40x20"],
  [
    "a photograph on its side",
    async () => await Bun.file(join(notice, "../notice-turned.jpg")).bytes(),
    100,
    "png 100x38",
  ],
])("%s becomes a PNG of the wanted width", async (_name, picture, width, expected) => {
  expect(await sizeOf(await shownPicture(await picture(), width))).toBe(expected);
});

test("a picture keeps its colours, and a page its shades", async () => {
  const png = await shownPicture(gray, 10);
  // The kind of colours in the header: 3 has a palette.
  expect(png[25]).toBe(3);
  const back = await new Bun.Image(png).resize(1, 2).png().bytes();
  expect(await sizeOf(back)).toBe("png 1x2");
});

test("a tall picture becomes narrow", async () => {
  const strip = Buffer.concat([Buffer.from("P5\n20 9000\n255\n"), Buffer.alloc(180_000, 255)]);
  expect(await sizeOf(await shownPicture(strip, 20))).toBe("png 9x4000");
});

test.each([
  ["damaged", Buffer.from("\u0089PNG\r\n\u001a\nnothing", "latin1"), "corrupt"],
  [
    "of more dots than the limit",
    Buffer.concat([
      Buffer.from("BM"),
      Buffer.from(new Uint32Array([54 + 4, 0, 54, 40, 30_000, 30_000, 0x18_0001]).buffer),
      Buffer.alloc(28),
    ]),
    "limit-exceeded",
  ],
])("a picture that is %s is refused", async (_name, bytes, code) => {
  const error: unknown = await shownPicture(bytes, 100).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ExtractionError);
  expect(error).toMatchObject({ code });
});
