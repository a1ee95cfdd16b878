import { keepsDigits } from "#lib/exact-json.ts";
import { jsonReading } from "#lib/json-loss.ts";
import { parsedJson } from "#lib/json-value.ts";
import { sameJson } from "#lib/same-json.ts";
import type { FormField } from "./form-field.ts";

/** A field's value as the text that is typed in a form, and back. */

/** A list of texts, each on a line of its own; nothing for what lines can't say. */
function lineList(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return undefined;
  const text = value.join("\n");
  return sameJson(listIn(text), value) ? text : undefined;
}

/** The items of a list, one a line; or the list as JSON. A text may begin with a bracket as well. */
function listIn(text: string): unknown {
  const list = text.trimStart().startsWith("[") ? parsedJson(text) : undefined;
  return list ?? itemLines(text);
}

/** A value as it stands in its field. */
export function textOf(field: FormField, value: unknown): string {
  if (value === undefined || value === null) return "";
  const choice = field.choices.find((each) => sameJson(each.value, value));
  if (choice !== undefined) return choice.text;
  if (field.kind !== "json" && typeof value === "string") return value;
  if (field.kind !== "json" && typeof value === "number") return String(value);
  const lines = field.kind === "list" ? lineList(value) : undefined;
  if (lines !== undefined) return lines;
  // A point or a list of a few words reads well on one line.
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, undefined, 2);
}

export interface ParsedText {
  readonly value: unknown;
  readonly problem?: string;
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The value that a typed text stands for. What is none of the choices, or no number, stays a text:
 * the check of the whole data refuses it.
 */
export function parsedText(field: FormField, text: string): ParsedText {
  if (text.trim() === "" && field.kind !== "lines") return { value: undefined };
  switch (field.kind) {
    case "choice": {
      const choice = field.choices.find((each) => each.text === text);
      return { value: choice === undefined ? text : choice.value };
    }
    case "number": {
      const trimmed = text.trim();
      if (!keepsDigits(trimmed)) return { value: text, problem: "has more digits than are kept" };
      return { value: numberPattern.test(trimmed) ? Number(trimmed) : text };
    }
    case "list":
      return { value: listIn(text) };
    case "json": {
      const { value, loss } = jsonReading(text);
      if (loss !== undefined) {
        return { value, problem: `${loss.path.join(".")} ${loss.detail}`.trim() };
      }
      if (value !== undefined) return { value };
      return { value, problem: "is not JSON: texts want quotes, names too" };
    }
    case "line":
    case "lines":
      return { value: text === "" ? undefined : text };
  }
}

/** The lines of a list that is typed in. */
export function itemLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
