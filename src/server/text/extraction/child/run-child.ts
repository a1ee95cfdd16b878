import { given } from "#lib/given.ts";
import { ExtractionError } from "../extraction-error.ts";
import { extractText } from "../extract-text.ts";
import type { PagePicture, PageText } from "../extracted-document.ts";
import type { Recognizer } from "../../ocr/recognizer.ts";
import { MarkedPages } from "../../tables/table-marks.ts";
import { placesOf, type PageWords } from "../../tables/word-places.ts";
import { normalizeText } from "../normalize-text.ts";
import { mappingWord, runMapping } from "./run-mapping.ts";
import type { ChildLine } from "./child-lines.ts";
import {
  parseChildWork,
  type ChildWork,
  parsePictureRequest,
  type PictureRequest,
} from "./child-request.ts";

const progressSteps = 100;

/** A line as it is written, with the places of words as text. */
type WrittenLine =
  | Exclude<ChildLine, { type: "page" }>
  | (Omit<Extract<ChildLine, { type: "page" }>, "words"> & { words?: string });

type Send = (line: WrittenLine) => Promise<void>;

export interface ChildStreams {
  readonly arguments: readonly string[];
  write(line: string): Promise<void>;
  /** The input of the child, which it reads only for `-`. */
  input(): AsyncIterable<Uint8Array>;
}

/**
 * The child's program: reads the document of `arguments` (path, file name, media type) and writes
 * its lines. With a picture request as fourth argument it reads the text in these pages' pictures.
 * With `-` alone it reads the documents that its input names, until one can't be read. Returns the
 * exit code: 0 after `end` or `error`, 2 for missing arguments.
 */
export async function runExtractionChild(io: ChildStreams): Promise<number> {
  const [path, filename, mediaType, request] = io.arguments;
  if (path === mappingWord && filename !== undefined) {
    await runMapping(filename, (line) => io.write(`${JSON.stringify(line)}\n`));
    return 0;
  }
  if (path === "-" && filename === undefined) return await readEach(io);
  if (path === undefined || filename === undefined || mediaType === undefined) return 2;
  const pictures = parsePictureRequest(request);
  await readOne({ path, filename, mediaType, pictures }, io, new Engines());
  return 0;
}

async function readEach(io: ChildStreams): Promise<number> {
  const decoder = new TextDecoder();
  const engines = new Engines();
  let text = "";
  for await (const chunk of io.input()) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const work = parseChildWork(line);
      if (work === undefined) return 2;
      if (!(await readOne(work, io, engines))) return 0;
    }
  }
  return 0;
}

/** True if the document could be read. */
async function readOne(
  { path, filename, mediaType, pictures }: ChildWork,
  io: ChildStreams,
  engines: Engines,
): Promise<boolean> {
  const send: Send = (line) => io.write(`${JSON.stringify(line)}\n`);
  try {
    const document = await extractText(path, {
      filename,
      mediaType,
      ...(pictures === undefined
        ? textOutput(send)
        : { onPage: await pageUse(send, pictures, engines) }),
    });
    const { mediaType: type, metadata, warnings, leftOut } = document;
    await send({ type: "end", mediaType: type, metadata, warnings, ...given({ leftOut }) });
    return true;
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    await send({ type: "error", code: error.code, message: error.message });
    return false;
  }
}

/** The recognition of a child, which loads once for all of its documents. */
class Engines {
  #opened: { readonly folder: string | undefined; readonly recognizer: Recognizer } | undefined;

  async open(folder: string | undefined): Promise<Recognizer> {
    if (this.#opened === undefined || this.#opened.folder !== folder) {
      const { Recognizer: kind } = await import("../../ocr/recognizer.ts");
      this.#opened = { folder, recognizer: await kind.open(folder) };
    }
    return this.#opened.recognizer;
  }
}

function textOutput(send: Send) {
  let sentStep = 0;
  return {
    onPage: ({ words, ...page }: PageText) =>
      send({ type: "page", ...page, ...given({ words: textOfWords(words) }) }),
    onProgress: async (done: number, total: number): Promise<void> => {
      const step = Math.floor((done / Math.max(1, total)) * progressSteps);
      if (step <= sentStep && done < total) return;
      sentStep = step;
      await send({ type: "progress", done, total });
    },
  };
}

/** The JSON of words, which the platform stores as it is. */
function textOfWords(words: PageWords | undefined): string | undefined {
  return words === undefined ? undefined : JSON.stringify(words);
}

function pageUse(send: Send, request: PictureRequest, engines: Engines) {
  if (request.width !== undefined) return pageDrawer(send, request.pages, request.width);
  return request.asPictures === true
    ? pictureSender(send, request)
    : pictureReader(send, request, engines);
}

/** Sends the wanted pages as people see them: a picture, `blank`, or `page` for other content. */
async function pageDrawer(send: Send, pages: readonly number[], width: number) {
  const { shownPicture } = await import("../../ocr/shown-picture.ts");
  const wanted = new Set(pages);
  return async (
    { number, text }: PageText,
    picture: (() => Promise<PagePicture>) | undefined,
  ): Promise<void> => {
    if (!wanted.has(number)) return;
    const content = picture === undefined ? undefined : await drawn(picture);
    if (content?.kind === "blank" && text === "") return await send({ type: "blank", number });
    if (content?.kind !== "picture" || content.lacksText === true) {
      return await send({ type: "page", number, text: "" });
    }
    const bytes = await shownPicture(content.bytes, width);
    const data = Buffer.from(bytes).toString("base64");
    await send({ type: "picture", number, mediaType: "image/png", data });
  };
}

/** Loads the recognition first, so that its time is not that of a page. */
async function pictureReader(send: Send, { pages, dataFolder }: PictureRequest, engines: Engines) {
  const recognizer = await engines.open(dataFolder);
  return eachPicture(send, pages, async (number, content) => {
    const read = content.kind === "picture" ? recognizer.read(content.bytes) : { text: "" };
    const { text, tables } = new MarkedPages().next(normalizeText(read.text));
    const words = read.layout === undefined ? undefined : placesOf(text, read.layout);
    const found = tables.length === 0 ? undefined : tables;
    if (text === "" && content.kind === "picture" && content.isPart === true) {
      return await send({ type: "blank", number });
    }
    const places = textOfWords(words);
    await send({ type: "page", number, text, ...given({ words: places, tables: found }) });
  });
}

/** Sends pictures that a model can read; others are left out. */
async function pictureSender(send: Send, { pages }: PictureRequest) {
  const { modelPicture } = await import("../../ocr/model-picture.ts");
  return eachPicture(send, pages, async (number, content) => {
    const shown = content.kind === "picture" ? modelPicture(content.bytes) : undefined;
    if (shown === undefined) return;
    const data = Buffer.from(shown.bytes).toString("base64");
    await send({ type: "picture", number, mediaType: shown.mediaType, data });
  });
}

/** Passes the drawn pictures of the wanted pages to `use`, and reports the blank ones. */
function eachPicture(
  send: Send,
  pages: readonly number[],
  use: (number: number, content: Exclude<PagePicture, { kind: "blank" }>) => Promise<void>,
) {
  const wanted = new Set(pages);
  return async (
    { number }: PageText,
    picture: (() => Promise<PagePicture>) | undefined,
  ): Promise<void> => {
    if (!wanted.has(number) || picture === undefined) return;
    const content = await drawn(picture);
    await (content.kind === "blank" ? send({ type: "blank", number }) : use(number, content));
  };
}

/**
 * Draws a page after the memory of earlier ones is freed: one of 300 dpi leaves 60 MiB, and a child
 * that waits for the collector reaches its limit after some pages.
 */
async function drawn(picture: () => Promise<PagePicture>): Promise<PagePicture> {
  Bun.gc(true);
  return await picture();
}
