import { isTooDeep } from "#lib/json-scan.ts";
import type { FormatReader } from "../extracted-document.ts";
import { tooDeep } from "../extraction-error.ts";
import { decodeText } from "./encoding.ts";

/** Reads JSON as one line per value, `name.inner[0]: value`, so that names and values are found. */
export const extractJson: FormatReader = async (bytes, limits, writer) => {
  const text = await decodeText(bytes);
  if (isTooDeep(text)) throw tooDeep(limits.depth);
  const lines: string[] = [];
  try {
    addLines(JSON.parse(text), "", lines);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Several values, one per line, or a file with comments.
    writer.warn("This file is not one JSON value; its text was read as it is.");
    lines.push(text);
  }
  await writer.flow(lines.join("\n"));
  return {};
};

function addLines(value: unknown, name: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addLines(item, `${name}[${index}]`, lines);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      addLines(item, name === "" ? key : `${name}.${key}`, lines);
    }
  } else if (value !== null && value !== "") {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    lines.push(name === "" ? text : `${name}: ${text}`);
  }
}
