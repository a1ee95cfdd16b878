import { keepsDigits } from "#lib/json/exact.ts";
import { jsonReading } from "#lib/json/loss.ts";
import { parsedJson } from "#lib/json/value.ts";
import { sameJson } from "#lib/json/same.ts";
import type { FormField } from "./form-field.ts";

/** Converts the value of a form field to the text of its input, and back. */

/** A list of texts, one per line; `undefined` for a list that lines can't represent. */
function lineList(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return undefined;
  const text = value.join("\n");
  return sameJson(listIn(text), value) ? text : undefined;
}

/** The items of a list, one per line, or as JSON. An item may also begin with a bracket. */
function listIn(text: string): unknown {
  const list = text.trimStart().startsWith("[") ? parsedJson(text) : undefined;
  return list ?? itemLines(text);
}

export function textOf(field: FormField, value: unknown): string {
  if (value === undefined || value === null) return "";
  const choice = field.choices.find((each) => sameJson(each.value, value));
  if (choice !== undefined) return choice.text;
  if (field.kind !== "json" && typeof value === "string") return value;
  if (field.kind !== "json" && typeof value === "number") return String(value);
  const lines = field.kind === "list" ? lineList(value) : undefined;
  if (lines !== undefined) return lines;
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, undefined, 2);
}

export interface ParsedText {
  readonly value: unknown;
  readonly problem?: string;
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The value of a typed text. An unknown choice or number stays a text, which the check refuses. */
export function parsedText(field: FormField, text: string): ParsedText {
  if (text.trim() === "" && field.kind !== "lines") return { value: undefined };
  switch (field.kind) {
    case "choice": {
      const choice = field.choices.find((each) => each.text === text);
      return { value: choice === undefined ? text : choice.value };
    }
    case "number": {
      const trimmed = text.trim();
      if (!keepsDigits(trimmed))
        return { value: text, problem: "has more digits than a number keeps" };
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
      return { value, problem: "is not JSON: texts and names need quotes" };
    }
    case "line":
    case "lines":
      return { value: text === "" ? undefined : text };
  }
}

export function itemLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The texts of a list value; none for another value. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
