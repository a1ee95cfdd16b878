import { ExtractionError } from "../extraction/extraction-error.ts";
import { startEngine } from "./engine.ts";
import { grayDots, grayPng } from "./model-picture.ts";

/** A page of A3 at 600 dpi has 70 million dots, one of A4 at 600 dpi 35 million. */
const pixelsAtMost = 40_000_000;
/** Higher pictures become narrower instead. */
const heightAtMost = 4_000;
/** A larger file is drawn smaller, until it fits. */
const bytesAtMost = 2_500_000;
const smaller = 0.7;
/** Shades of gray and of colours that a page has. */
const shades = { palette: true, colors: 64, dither: false } as const;
const colours = { palette: true, colors: 256, dither: true } as const;

/**
 * A picture of a page for people: a PNG with a palette, at most `width` dots wide, 4,000 high and
 * 2.5 MB, and never larger than the picture. Throws ExtractionError `corrupt` or `limit-exceeded`.
 * It takes the memory of the whole picture: run it in a watched child process only.
 */
export async function shownPicture(picture: Uint8Array, width: number): Promise<Uint8Array> {
  const gray = grayDots(picture);
  if (gray !== undefined) {
    // The mean of whole squares is smooth, and leaves little to scale.
    const step = Math.max(1, Math.floor(gray.width / (2 * width)));
    return scaled(grayPng(gray.dots, { ...gray, step }), width, shades);
  }
  try {
    return await scaled(picture, width, colours);
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    // TIFF, and JPEG files with the colours of a press.
    return await scaled(await decodedByEngine(picture), width, colours);
  }
}

async function scaled(
  file: Uint8Array,
  width: number,
  palette: typeof shades | typeof colours,
): Promise<Uint8Array> {
  let wide = width;
  for (;;) {
    const bytes = await new Bun.Image(file, { maxPixels: pixelsAtMost })
      .resize(wide, heightAtMost, { fit: "inside", withoutEnlargement: true })
      .png(palette)
      .bytes()
      .catch((error: unknown) => {
        throw isTooLarge(error) ? tooLarge() : error;
      });
    if (bytes.length <= bytesAtMost) return bytes;
    wide = Math.max(1, Math.floor(wide * smaller));
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_IMAGE_TOO_MANY_PIXELS";
}

function tooLarge(): ExtractionError {
  return new ExtractionError(
    "limit-exceeded",
    `This picture was not drawn: it has more than ${pixelsAtMost / 1_000_000} million dots.`,
  );
}

/** The first picture of a file as PNG, decoded by the library of the text recognition. */
async function decodedByEngine(picture: Uint8Array): Promise<Uint8Array> {
  const module = await startEngine();
  const engine = new module.TessBaseAPI();
  engine.InitForAnalysePage();
  module.FS.writeFile("/input", picture);
  const upright = 1;
  if (engine.SetImageFile(upright, 0) !== 0) {
    throw new ExtractionError("corrupt", "This picture was not drawn: it is damaged.");
  }
  const asItCame = 0;
  engine.WriteImage(asItCame);
  return module.FS.readFile("/image.png");
}
