/** The command that does what the screen does: what `y` copies and a dialog shows. */

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** `svc …` as a shell reads it; options without a value are left out. */
export function commandLine(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(String(value))],
  );
  return ["svc", ...words.map(quoted), ...flags].join(" ");
}

/** Puts text on the clipboard of whoever sits at the terminal, over SSH as well (OSC 52). */
export function clipboardSequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
}
