import { normalizeText } from "../normalize-text.ts";
import { ExtractionError } from "../extraction-error.ts";
import type { ModelPicture } from "../../ocr/model-picture.ts";
import { crashed } from "./child-lines.ts";
import type { ChildFile } from "./child-file.ts";
import type { ChildOptions, PictureReader } from "./child-options.ts";
import type { PictureRequest } from "./picture-request.ts";
import { runWatched } from "./watched-child.ts";

/** Pages that a model has read, and why it has not read others. */
export interface ModelPages {
  readonly texts: ReadonlyMap<number, string>;
  readonly blank: ReadonlySet<number>;
  /** A sentence for the user. */
  readonly warning: string | undefined;
}

/** Pages of one document that a model reads; its text is recognised on the others. */
const pagesAtMost = 50;
const totalMs = 600_000;
/** Pictures that are in memory at a time. */
const pagesPerChild = 4;
const failuresAtMost = 2;
const charactersAtMost = 100_000;
const drawingMs = 60_000;
/** A page of 300 dpi in colour, without the recognition. */
const memoryBytes = 512 * 1024 * 1024;

/** Lets a model read the pictures of pages; it stops after two failures, and after ten minutes. */
export async function readWithModel(
  file: ChildFile,
  wanted: readonly number[],
  reader: PictureReader,
  { command, signal, onProgress }: ChildOptions,
): Promise<ModelPages> {
  const texts = new Map<number, string>();
  const blank = new Set<number>();
  const end = Date.now() + totalMs;
  let failures = 0;
  let reason = "";
  const ask = async (number: number, picture: ModelPicture): Promise<void> => {
    if (failures >= failuresAtMost) return;
    try {
      const text = normalizeText(await reader.read(picture, signal)).slice(0, charactersAtMost);
      if (text !== "") texts.set(number, text);
    } catch (error) {
      signal?.throwIfAborted();
      failures += 1;
      reason = error instanceof Error ? error.message : String(error);
    }
  };
  const pages = wanted.slice(0, pagesAtMost);
  for (let at = 0; at < pages.length; at += pagesPerChild) {
    if (failures >= failuresAtMost || Date.now() > end) break;
    const some = pages.slice(at, at + pagesPerChild);
    const pictures = await picturesOf(file, some, { command, signal }, blank);
    for (const [number, picture] of pictures) await ask(number, picture);
    onProgress?.(Math.min(at + pagesPerChild, wanted.length), wanted.length);
  }
  const left = wanted.filter((number) => !texts.has(number) && !blank.has(number));
  const words = left.length === 1 ? `page ${left[0]}` : `${left.length} pages`;
  const why = reason === "" ? "" : ` (${reason})`;
  const warning =
    left.length === 0
      ? undefined
      : `The model ${reader.name} did not read ${words}${why}; the text there was recognised instead.`;
  return { texts, blank, warning };
}

/** The pictures of pages, drawn by a child. Pages that it can't draw are left out. */
async function picturesOf(
  { path, filename, mediaType }: ChildFile,
  pages: readonly number[],
  { command, signal }: Pick<ChildOptions, "command" | "signal">,
  blank: Set<number>,
): Promise<ReadonlyMap<number, ModelPicture>> {
  const pictures = new Map<number, ModelPicture>();
  const request: PictureRequest = { pages, asPictures: true };
  try {
    await runWatched(
      [...command, path, filename, mediaType, JSON.stringify(request)],
      { timeoutMs: drawingMs, memoryBytes, signal },
      (line) => {
        if (line.type === "error") throw crashed();
        if (line.type !== "picture" && line.type !== "blank") return;
        if (!pages.includes(line.number) || pictures.has(line.number)) throw crashed();
        if (line.type === "blank") blank.add(line.number);
        else {
          const { number, mediaType: kind, data } = line;
          pictures.set(number, { mediaType: kind, bytes: Buffer.from(data, "base64") });
        }
      },
    );
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
  }
  return pictures;
}
