import { isJsonObject } from "#lib/json-value.ts";
import { isStorable } from "../../../kit/storable-text.ts";
import type { ChildLine } from "./run-child.ts";
import type { DocumentMetadata } from "../extracted-document.ts";
import { ExtractionError } from "../extraction-error.ts";

/**
 * The longest line that is taken from a child, in UTF-16 code units: a page of the largest size and
 * its frame.
 */
const lineCharactersAtMost = 4_000_000;

/** What is said of a child that broke its protocol or ended without a result. */
export function crashed(cause?: unknown): ExtractionError {
  return new ExtractionError(
    "crashed",
    "This file was not read: the program that reads it stopped unexpectedly. " +
      "The file may be damaged.",
    { cause },
  );
}

/**
 * Reads a child's lines. The child worked on hostile bytes, so nothing that it says is trusted:
 * lines have a longest length, and each must be exactly of one of the four shapes.
 */
export async function* readChildLines(
  stdout: AsyncIterable<Uint8Array>,
): AsyncGenerator<ChildLine> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of stdout) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        yield parseLine(parts.splice(0).join(""));
        length = 0;
      }
      length += piece.length;
      if (length > lineCharactersAtMost) throw crashed();
      parts.push(piece);
    }
  }
  if (length > 0) throw crashed();
}

function parseLine(text: string): ChildLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw crashed(error);
  }
  const line = isJsonObject(value) ? shapeOf(value) : null;
  if (line === null) throw crashed();
  return line;
}

function shapeOf(value: Record<string, unknown>): ChildLine | null {
  const { type, done, total, number, text, code, message, mediaType } = value;
  if (type === "progress" && isCount(done) && isCount(total)) return { type, done, total };
  if (type === "page" && isCount(number) && isText(text)) return { type, number, text };
  if (type === "error" && isText(code) && isText(message)) return { type, code, message };
  if (type !== "end" || !isText(mediaType)) return null;
  const metadata = metadataOf(value.metadata);
  const warnings = value.warnings;
  if (metadata === null || !Array.isArray(warnings)) return null;
  if (!warnings.every(isText)) return null;
  return { type, mediaType, metadata, warnings };
}

function metadataOf(value: unknown): DocumentMetadata | null {
  if (!isJsonObject(value)) return null;
  const metadata: DocumentMetadata = {};
  for (const name of ["title", "author", "createdAt"] as const) {
    const field = value[name];
    if (isText(field)) metadata[name] = field;
    else if (field !== undefined) return null;
  }
  return metadata;
}

/** What cannot be stored would be tried again and again. */
function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
