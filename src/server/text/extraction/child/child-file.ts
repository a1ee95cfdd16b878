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
