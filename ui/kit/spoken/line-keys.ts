import { splitGraphemes } from "#lib/text/terminal.ts";
import type { Binding } from "../keys/key-bindings.ts";
import type { Scope } from "../keys/keys.ts";
import { hasNumber, selectedNumber } from "./frame-lines.ts";

/** The screen that a line is typed into. */
export interface LineContext {
  /** The lines of the screen. */
  readonly lines: readonly string[];
  /** The scope of the field that takes text; undefined without one. */
  readonly typing: Scope | undefined;
  readonly bindings: readonly Binding[];
}

/** The characters of a terminal for a line, or why there are none. */
export type LineKeys = { readonly input: string } | { readonly refusal: string };

const sequences: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  space: " ",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  delete: "\x1b[3~",
  backspace: "\x7f",
};
const shortNames: Readonly<Record<string, string>> = {
  esc: "escape",
  pgup: "pageup",
  pgdn: "pagedown",
};
/** The keys that replace the text of a field: end of line, erase to the start. */
const emptied = "\x05\x15";

/** The characters that a terminal sends for a key, by its name; undefined for no name. */
export function keySequence(typed: string): string | undefined {
  const name = shortNames[typed] ?? typed;
  const known = sequences[name];
  if (known !== undefined) return known;
  const [, letter] = /^(?:ctrl\+|\^)([a-z])$/.exec(name) ?? [];
  if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) & 0x1f);
  if (name.startsWith("alt+")) {
    const rest = keySequence(name.slice(4));
    return rest === undefined ? undefined : `\x1b${rest}`;
  }
  return splitGraphemes(name).length === 1 ? name : undefined;
}

/** The keys to the row of this number, and Enter. */
function chosen(lines: readonly string[], number: number): string {
  const by = number - (selectedNumber(lines) ?? 1);
  return (by < 0 ? "\x1b[A" : "\x1b[B").repeat(Math.abs(by)) + "\r";
}

/** The first key of the only action whose words begin with the text. */
function keyOfAction(bindings: readonly Binding[], typed: string): string | undefined {
  const wanted = typed.toLowerCase();
  const exact = bindings.filter(({ entry }) => entry.words.toLowerCase() === wanted);
  const like = bindings.filter(({ entry }) => entry.words.toLowerCase().startsWith(wanted));
  const [found, ...others] = exact.length > 0 ? exact : like;
  return others.length > 0 ? undefined : found?.entry.keys[0];
}

/**
 * Translates a line: a number chooses a row, a name presses a key or does an action, and any other
 * text goes into the field that takes text, which it fills and leaves. A dot before a key presses
 * it in a field too, and a quote before a text makes it no number.
 */
export function keysOfLine(line: string, { lines, typing, bindings }: LineContext): LineKeys {
  const text = line.trim();
  if (text === "") return { input: "\r" };
  const isNumber = /^\d+$/.test(text) && (typing === undefined || typing === "picker");
  if (isNumber && hasNumber(lines, Number(text))) return { input: chosen(lines, Number(text)) };
  if (text.length > 1 && text.startsWith(".")) {
    const key = keySequence(text.slice(1));
    return key === undefined ? refusal(text) : { input: key };
  }
  if (typing !== undefined) {
    const typed = text.startsWith('"') ? text.slice(1) : text;
    return { input: `${emptied}\x1b[200~${typed}\x1b[201~\r` };
  }
  // A number whose row has just gone would open a place.
  const key = /^[1-9]$/.test(text) ? undefined : keySequence(text);
  if (key !== undefined) return { input: key };
  const ofAction = keyOfAction(bindings, text);
  const input = ofAction === undefined ? undefined : keySequence(ofAction);
  return input === undefined ? refusal(text) : { input };
}

function refusal(text: string): LineKeys {
  const place = /^[1-9]$/.test(text) ? ` .${text} opens the place.` : "";
  return {
    refusal: `No row, key or single action is named ${text}.${place} ? lists the keys.`,
  };
}
