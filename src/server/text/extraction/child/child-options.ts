import type { KeptChildren } from "./kept-children.ts";
import type { ModelPicture } from "../../ocr/model-picture.ts";

export type ChildOptions = {
  /** The program and its first arguments; path, file name and media type follow. */
  command: readonly string[];
  /** Children that are kept for further documents of one share; without it each has its own. */
  kept?: { readonly children: KeptChildren; readonly share: string } | undefined;
  /** Longest wall-clock time. Default 60 s. */
  timeoutMs?: number;
  /** The most resident memory of the child. Default 320 MiB. */
  memoryLimitBytes?: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Folder of further languages for the text in pictures. */
  ocrFolder?: string | undefined;
  /** Reads pictures instead of the recognition, which reads what this one does not. */
  pictureReader?: PictureReader | undefined;
  /** True if text in pictures is read (default true). */
  readsPictures?: boolean;
};

/** A model that reads the text of a picture; it throws when it can not. */
export interface PictureReader {
  readonly name: string;
  read(picture: ModelPicture, signal: AbortSignal | undefined): Promise<string>;
}
