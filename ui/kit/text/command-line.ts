import { shellWord } from "#lib/shell-word.ts";

/** The command that does what the screen does: what `y` copies and a dialog shows. */

/** `svc …` as a shell reads it; options without a value are left out. */
export function commandLine(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(String(value))],
  );
  return ["svc", ...words.map(shellWord), ...flags].join(" ");
}

/** Puts text on the clipboard of whoever sits at the terminal, over SSH as well (OSC 52). */
export function clipboardSequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
}
