import { imageSize } from "image-size";
import type { PageWriter } from "../../extracted-document.ts";

/** A picture within a document of another format. */
export interface EmbeddedPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Dots of a picture's shorter and longer side, below which it is a logo, a bullet or a line. */
const leastShort = 60;
const leastLong = 200;
const readKinds: ReadonlySet<string> = new Set(["png", "jpg", "tiff", "webp", "bmp"]);
/** A smaller drawing is a line, an arrow or a logo. */
const drawingBytes = 8 * 1024;
const drawings: Readonly<Record<string, string>> = {
  emf: "EMF",
  wmf: "WMF",
  svg: "SVG",
  svm: "SVM",
  pdf: "PDF",
  eps: "EPS",
};

/**
 * Writes the pictures of a document as pages after its text, so that their text is recognised.
 * Small pictures are left out, and a picture twice is one page; one that can't be read is named.
 * Returns the number of pictures that are pages or named.
 */
export async function writePictures(
  writer: PageWriter,
  pictures: Iterable<EmbeddedPicture>,
): Promise<number> {
  let count = 0;
  const written = new Set<string>();
  for (const { name, bytes } of pictures) {
    const key = Bun.hash(bytes).toString();
    if (written.has(key)) continue;
    written.add(key);
    const kind = kindOf(name, bytes);
    if (kind === "small") continue;
    count += 1;
    if (kind === "readable") {
      await writer.page("", async () => ({ kind: "picture", bytes, isPart: true }));
    } else {
      const what = recordings.test(name) ? "recording" : "picture";
      writer.leaveOut(`The ${what} ${name} of this document was not read: ${kind}.`);
    }
  }
  return count;
}

/** Sound and video are in the same folder; the originals of pictures with effects repeat them. */
const recordings = /\.(?:mp[34]|m4[av]|wav|wm[av]|avi|mov|mpe?g|aiff?|mid|ogg|mkv)$/i;
const originals = /\.wdp$/i;

/** The kind of a picture, or why it can't be read. */
function kindOf(name: string, bytes: Uint8Array): "readable" | "small" | (string & {}) {
  const drawing = drawings[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
  if (drawing !== undefined) {
    return bytes.length < drawingBytes
      ? "small"
      : `it is a drawing (${drawing}), not a photograph or a scan`;
  }
  if (originals.test(name)) return "small";
  if (recordings.test(name)) return "it is sound or video";
  try {
    const { width, height, type = "" } = imageSize(bytes);
    if (Math.min(width, height) < leastShort || Math.max(width, height) < leastLong) return "small";
    return readKinds.has(type)
      ? "readable"
      : `pictures of this kind (${type.toUpperCase()}) are not read`;
  } catch {
    return "it is damaged or too large";
  }
}
