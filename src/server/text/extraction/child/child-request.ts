import { isJsonObject, parsedJson } from "#lib/json/value.ts";

/** A document to read; as JSON, a line of a kept child's input. */
export interface ChildFile {
  readonly path: string;
  readonly filename: string;
  readonly mediaType: string;
}

/** Undefined for a line that names no document. */
export function parseChildFile(line: string): ChildFile | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  const { path, filename, mediaType } = value;
  const isFile =
    typeof path === "string" && typeof filename === "string" && typeof mediaType === "string";
  return isFile ? { path, filename, mediaType } : undefined;
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
  const value = text === undefined ? undefined : parsedJson(text);
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
