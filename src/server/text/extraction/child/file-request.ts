import { isJsonObject, parsedJson } from "#lib/json-value.ts";
import type { ChildFile } from "./child-options.ts";

/** One line of a kept child's input: the next document that it reads. */
export type FileRequest = ChildFile;

/** Undefined for a line that is no request. */
export function parseFileRequest(line: string): FileRequest | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  const { path, filename, mediaType } = value;
  const isRequest =
    typeof path === "string" && typeof filename === "string" && typeof mediaType === "string";
  return isRequest ? { path, filename, mediaType } : undefined;
}
