import { given } from "#lib/given.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";

/** A document that a child reads. */
export interface ChildFile {
  readonly path: string;
  readonly filename: string;
  readonly mediaType: string;
}

/** A document with what to read of it; as JSON, a line of a kept child's input. */
export interface ChildWork extends ChildFile {
  /** The child reads the pictures of these pages instead of text. */
  readonly pictures?: PictureRequest | undefined;
}

/** Undefined for a line that names no document. */
export function parseChildWork(line: string): ChildWork | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  const { path, filename, mediaType, pictures } = value;
  const isFile =
    typeof path === "string" && typeof filename === "string" && typeof mediaType === "string";
  return isFile
    ? { path, filename, mediaType, ...given({ pictures: pictureRequestOf(pictures) }) }
    : undefined;
}

/** The pages whose pictures a child reads instead of text, and the folder of its languages. */
export interface PictureRequest {
  readonly pages: readonly number[];
  /** The child gives the pictures themselves, for a model. */
  readonly asPictures?: boolean | undefined;
  /** The child draws the pages for people, at most so many dots wide. */
  readonly width?: number | undefined;
  readonly dataFolder?: string | undefined;
}

/** A request as the last argument of a child; undefined for other text. */
export function parsePictureRequest(text: string | undefined): PictureRequest | undefined {
  return text === undefined ? undefined : pictureRequestOf(parsedJson(text));
}

function pictureRequestOf(value: unknown): PictureRequest | undefined {
  if (!isJsonObject(value) || !Array.isArray(value["pages"])) return undefined;
  const { dataFolder, width } = value;
  const pages = value["pages"].filter((page) => typeof page === "number");
  const asPictures = value["asPictures"] === true;
  return {
    pages,
    asPictures,
    ...(typeof dataFolder === "string" ? { dataFolder } : {}),
    ...(typeof width === "number" ? { width } : {}),
  };
}
