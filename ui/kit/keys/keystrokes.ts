import { splitGraphemes } from "#lib/text/terminal.ts";
import type { Key } from "ink";

/**
 * One key press. `name` is what the key table lists (`j`, `G`, `space`, `enter`, `ctrl+c`,
 * `shift+tab`, `alt+enter`); `text` is what a text field would insert, where there is any.
 */
export interface Stroke {
  readonly name: string;
  readonly text?: string;
  /** Presses in a row in one burst; 1 unless a key was held or repeated fast. */
  readonly count: number;
}

const named: readonly (readonly [flag: keyof Key, name: string])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
];

const written: Readonly<Record<string, string>> = {
  " ": "space",
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
};

function modified(name: string, key: Key): string {
  const shift = key.shift && name.length > 1;
  return `${key.ctrl ? "ctrl+" : ""}${key.meta ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

/**
 * Among so few characters, an Enter at either end and any Tab count as pressed, not as pasted:
 * terminals bracket their pastes, and fast typing on a slow line must not lose an Enter.
 */
export const typedTogether = 64;

/** A control character as Ctrl with a letter; Ink names it only when it comes alone. */
function controlName(grapheme: string): string | undefined {
  const code = grapheme.charCodeAt(0);
  return code < 0x20 ? `ctrl+${String.fromCharCode(code + 0x60)}` : undefined;
}

/** `isPasted` line ends and Tabs are text and submit nothing. */
function strokeOf(grapheme: string, key: Key, isPasted: boolean): Stroke {
  const control = written[grapheme] === undefined ? controlName(grapheme) : undefined;
  if (control !== undefined) return { name: control, count: 1 };
  const name = written[grapheme] ?? grapheme;
  const plain = !key.ctrl && !key.meta;
  const text = grapheme === "\r" || grapheme === "\n" ? "\n" : grapheme;
  const insertable = plain && (text === "\n" || text === "\t" ? isPasted : true);
  return { name: modified(name, key), ...(insertable ? { text } : {}), count: 1 };
}

/**
 * The key presses of one input event, which may hold several (`"jjjj"`); equal neighbours are
 * counted.
 */
export function strokesOf(input: string, key: Key): Stroke[] {
  if (key.eventType === "release") return [];
  for (const [flag, name] of named) {
    if (key[flag] === true) {
      // Ink reports Alt with a single Escape.
      const modifiers = name === "escape" ? { ...key, meta: false } : key;
      return [{ name: modified(name, modifiers), count: 1 }];
    }
  }
  if (input === "") return [];
  const graphemes = splitGraphemes(input);
  const strokes: Stroke[] = [];
  const together = graphemes.length > 1;
  const typed = graphemes.length <= typedTogether;
  const isEnter = (grapheme: string): boolean => grapheme === "\r" || grapheme === "\n";
  const pressesEnter = !graphemes.slice(1, -1).some(isEnter);
  for (const grapheme of graphemes) {
    const pressed = typed && (isEnter(grapheme) ? pressesEnter : grapheme === "\t");
    const stroke = strokeOf(grapheme, key, together && !pressed);
    const previous = strokes.at(-1);
    if (previous !== undefined && previous.name === stroke.name) {
      strokes[strokes.length - 1] = { ...previous, count: previous.count + 1 };
    } else strokes.push(stroke);
  }
  return strokes;
}
