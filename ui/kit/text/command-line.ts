import { shellWord } from "#lib/text/shell-word.ts";

/** The part of a command that names the platform and the sign-in, in any shell of this machine. */
export interface CommandTarget {
  /** The program, e.g. `svc`, or `svc demo --`. */
  readonly program: readonly string[];
  /** Variables that the shell sets for the command alone. */
  readonly variables: Readonly<Record<string, string>>;
  readonly options: CommandOptions;
}

type OptionValue = string | number | boolean | readonly string[] | undefined;
/** A list repeats its option; `undefined` and `false` leave it out. */
export type CommandOptions = Readonly<Record<string, OptionValue>>;

function optionWords([name, value]: [string, OptionValue]): string[] {
  if (value === undefined || value === false) return [];
  if (typeof value === "object") return value.flatMap((each) => optionWords([name, each]));
  if (value === true) return [`--${name}`];
  const text = String(value);
  // A value with a dash first could be taken for an option.
  return text.startsWith("-") ? [`--${name}=${text}`] : [`--${name}`, text];
}

/** A command for a POSIX shell, quoted, without options that have no value. */
export function commandLine(
  target: CommandTarget,
  words: readonly string[],
  options: CommandOptions = {},
): string {
  const assignments = Object.entries(target.variables).map(
    ([name, value]) => `${name}=${shellWord(value)}`,
  );
  // The words from the first one with a dash on follow the options and `--`.
  const dashed = words.findIndex((word) => word.startsWith("-"));
  const [before, after] =
    dashed === -1 ? [words, []] : [words.slice(0, dashed), ["--", ...words.slice(dashed)]];
  const flags = Object.entries({ ...options, ...target.options }).flatMap(optionWords);
  const all = [...target.program, ...before, ...flags, ...after];
  return [...assignments, ...all.map(shellWord)].join(" ");
}

/** The sequence that copies text to the terminal's clipboard, also over SSH (OSC 52). */
export function clipboardSequence(text: string): string {
  return `\x1b]52;c;${Buffer.from(text, "utf8").toString("base64")}\x07`;
}
