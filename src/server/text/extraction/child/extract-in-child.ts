import { given } from "#lib/given.ts";
import { crashed, type ChildLine } from "./child-lines.ts";
import type { ChildFile, PictureRequest } from "./child-request.ts";
import { mayComeFromOthers } from "./kept-children.ts";
import type { ChildOptions, PictureReader } from "./child-options.ts";
import type { ReadDocument, ReadPage } from "../extracted-document.ts";
import { ExtractionError, isExtractionErrorCode } from "../extraction-error.ts";
import { wordLimits } from "../../tables/word-places.ts";
import { cellsOf, tableLimits } from "../../tables/page-table.ts";
import { defaultLimits } from "../extraction-limits.ts";
import { readPictures } from "./read-pictures.ts";
import { runWatched } from "./watched-child.ts";
import { normalizeText } from "../normalize-text.ts";
import type { ModelPicture } from "../../ocr/model-picture.ts";

const defaultTimeoutMs = 60_000;
/** The largest texts of the limits take 140 to 190 MiB, pages of large tables 250 to 275 MiB. */
const defaultMemoryLimitBytes = 320 * 1024 * 1024;

/**
 * Reads a document's text in a child process with an empty environment and limits on time and
 * memory; pages that are only pictures then in a second one, with the limits of `readPictures`.
 * Throws ExtractionError, or the signal's reason.
 */
export async function extractInChild(
  file: ChildFile,
  options: ChildOptions,
): Promise<ReadDocument> {
  const document = await readFile(file, options);
  const pictures = document.pages.flatMap(({ number, isPicture }) =>
    isPicture === true ? [number] : [],
  );
  if (pictures.length === 0 || options.readsPictures === false) return document;
  return await withPictures(file, document, pictures, options);
}

async function readFile(file: ChildFile, options: ChildOptions): Promise<ReadDocument> {
  const { command, kept, onProgress, signal } = options;
  const limits = {
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    memoryBytes: options.memoryLimitBytes ?? defaultMemoryLimitBytes,
    signal,
  };
  if (kept === undefined) {
    const collected = new Collected(onProgress);
    const words = [...command, file.path, file.filename, file.mediaType];
    await runWatched(words, limits, (line) => collected.add(line));
    return collected.document();
  }
  const { children, share } = kept;
  const read = async (isFresh: boolean): Promise<ReadDocument> => {
    const collected = new Collected(onProgress);
    await children.read({ share, work: file, isFresh }, limits, (line) => collected.add(line));
    return collected.document();
  };
  if (!children.has(share)) return await read(true);
  try {
    return await read(false);
  } catch (error) {
    if (!mayComeFromOthers(error)) throw error;
    return await read(true);
  }
}

async function withPictures(
  file: ChildFile,
  document: ReadDocument,
  wanted: readonly number[],
  options: ChildOptions,
): Promise<ReadDocument> {
  const { pictureReader } = options;
  const model =
    pictureReader === undefined
      ? undefined
      : await readWithModel(file, wanted, pictureReader, options);
  const rest = wanted.filter((page) => model?.texts.has(page) !== true && !model?.blank.has(page));
  const recognised = rest.length === 0 ? undefined : await readPictures(file, rest, options);
  const isBlank = (page: number): boolean =>
    model?.blank.has(page) === true || recognised?.blank.has(page) === true;
  const pages = document.pages.map(({ isPicture: _isPicture, ...page }): ReadPage => {
    const { number } = page;
    const written = model?.texts.get(number);
    const {
      text = "",
      words,
      tables,
    } = written === undefined
      ? { ...recognised?.texts.get(number) }
      : { text: written, words: undefined, tables: undefined };
    return text === "" ? page : { number, text, ...given({ words, tables }) };
  });
  const unreadPages = wanted.filter((page) => pages[page - 1]?.text === "" && !isBlank(page));
  const said = model?.warning === undefined ? [] : [model.warning];
  const warnings = [...document.warnings, ...said, ...(recognised?.warnings ?? [])];
  const read = [...(model?.texts.keys() ?? [])];
  const picturesRead =
    pictureReader === undefined || read.length === 0
      ? {}
      : { pictureModel: { name: pictureReader.name, pages: read } };
  return { ...document, pages, warnings, unreadPages, ...picturesRead };
}

/** The lines of a child. Nothing may follow the end. */
class Collected {
  readonly #pages: ReadPage[] = [];
  #characters = 0;
  #cells = 0;
  #words = 0;
  #document: ReadDocument | null = null;

  constructor(private readonly onProgress: ChildOptions["onProgress"]) {}

  document(): ReadDocument {
    if (this.#document === null) throw crashed();
    return this.#document;
  }

  add(line: ChildLine): void {
    if (this.#document !== null) throw crashed();
    switch (line.type) {
      case "progress":
        this.onProgress?.(line.done, line.total);
        break;
      case "page":
        this.#addPage(line);
        break;
      case "blank":
      case "picture":
        throw crashed();
      case "error":
        if (!isExtractionErrorCode(line.code)) throw crashed();
        throw new ExtractionError(line.code, line.message);
      case "end": {
        const { type: _type, ...end } = line;
        this.#document = { ...end, pages: this.#pages, unreadPages: [] };
        break;
      }
    }
  }

  #addPage({ type: _type, ...page }: Extract<ChildLine, { type: "page" }>): void {
    const { number, text, tables = [] } = page;
    this.#cells += cellsOf(tables);
    if (this.#cells > tableLimits.cellsOfDocument) throw crashed();
    this.#words += page.words?.count ?? 0;
    if (this.#words > wordLimits.document + wordLimits.page) throw crashed();
    this.#characters += text.length;
    if (number !== this.#pages.length + 1 || this.#pages.length >= defaultLimits.pages) {
      throw crashed();
    }
    if (this.#characters > defaultLimits.characters) throw crashed();
    this.#pages.push(page);
  }
}

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
async function readWithModel(
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
