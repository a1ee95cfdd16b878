import { shellWord } from "#lib/shell-word.ts";

/** An `svc` command quoted for a shell, without options that have no value. */
export function commandLine(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(String(value))],
  );
  return ["svc", ...words.map(shellWord), ...flags].join(" ");
}

/** The sequence that copies text to the terminal's clipboard, also over SSH (OSC 52). */
export function clipboardSequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
}
