import { blockText, cellText, harmlessJson } from "#lib/text/terminal.ts";
import { fitText, textWidth, wrapText } from "./text-layout.ts";
import type { Token } from "../theme/skin.ts";

export interface Span {
  readonly text: string;
  readonly as?: Token | undefined;
}

/** One line of the screen in parts: safe to draw and at most as wide as its area. */
export type StyledLine = readonly Span[];

export function indented(lines: readonly StyledLine[]): StyledLine[] {
  return lines.map((line) => [{ text: " " }, ...line]);
}

export function textLines(text: string, width: number, as?: Token): StyledLine[] {
  return wrapText(text, width).map((line) => [{ text: line, as }]);
}

export interface Field {
  readonly name: string;
  readonly value: string;
  readonly as?: Token | undefined;
}

const maximumNameWidth = 24;

/** Names and values side by side; long values wrap in their column. */
export function fieldLines(fields: readonly Field[], width: number): StyledLine[] {
  const widest = fields.reduce((most, field) => Math.max(most, textWidth(cellText(field.name))), 0);
  const widestValue = fields.reduce((most, { value }) => Math.max(most, textWidth(value)), 0);
  const nameWidth = Math.min(
    widest,
    Math.floor(width / 2),
    // Values that leave room give it to longer names.
    Math.max(maximumNameWidth, width - 2 - widestValue),
  );
  const room = Math.max(1, width - nameWidth - 2);
  return fields.flatMap((field) => {
    const values = wrapText(field.value, room);
    return (values.length === 0 ? [""] : values).map((value, index): StyledLine => [
      { text: `${fitText(index === 0 ? field.name : "", nameWidth)}  `, as: "quiet" },
      { text: value, as: field.as },
    ]);
  });
}

function jsonToken(text: string): Token | undefined {
  if (text.startsWith('"')) return undefined;
  return /^[[\]{}]/.test(text) ? "quiet" : "busy";
}

/** A JSON value as indented, coloured and wrapped text. Control characters become JSON escapes. */
export function jsonLines(value: unknown, width: number): StyledLine[] {
  const text = harmlessJson(JSON.stringify(value, undefined, 2));
  return text.split("\n").flatMap((line): StyledLine[] => {
    const [, named = "", rest = ""] = /^(\s*(?:"(?:[^"\\]|\\.)*": ?)?)(.*)$/.exec(line) ?? [];
    const as = jsonToken(rest);
    const head = blockText(named);
    return wrapText(line, width).map((row, index) =>
      index === 0 && row.startsWith(head)
        ? [
            { text: head, as: "focus" },
            { text: row.slice(head.length), as },
          ]
        : [{ text: row, as }],
    );
  });
}
