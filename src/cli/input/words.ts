import { ownMember } from "#lib/own-member.ts";

/** An option as it may be spelled: `--name`, `--name=value`, `-n`, `-n value`, `-nvalue`. */
export interface OptionSpelling {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

export interface OptionToken {
  /** The name without dashes; the letter of a short option that is not known. */
  readonly name: string;
  readonly value: string | undefined;
}

export interface ReadWords {
  readonly tokens: readonly OptionToken[];
  readonly positionals: readonly string[];
}

/** A word that is not one of the options; the message names it as `node:util` does. */
class OptionError extends Error {
  override readonly name = "OptionError";
}

/**
 * Reads words as `parseArgs` of `node:util` does; that module takes a command 1.5 ms to load. Only
 * here is a negative number, as in `geo reverse -1.6,54.97`, a value instead of an option. With
 * `strict` it throws OptionError for an unknown option, a missing value, and the value of a flag.
 */
export function readWords(
  words: readonly string[],
  options: Readonly<Record<string, OptionSpelling>>,
  strict: boolean,
): ReadWords {
  const shorts = new Map(Object.entries(options).map(([name, { short }]) => [short, name]));
  const left = [...words];
  const tokens: OptionToken[] = [];
  const positionals: string[] = [];
  const add = (spelled: string, name: string, inline: string | undefined): void => {
    const option = ownMember(options, name);
    const value = inline ?? (option?.type === "string" ? left.shift() : undefined);
    if (strict) requireUsable({ spelled, name, option, value, isInline: inline !== undefined });
    tokens.push({ name, value });
  };
  /** `-ab` is `-a -b`, and `-fvalue` is `-f value`. */
  const addLetters = (letters: string): void => {
    const letter = letters.charAt(0);
    const name = shorts.get(letter) ?? letter;
    const rest = letters.slice(1);
    const takesValue = ownMember(options, name)?.type === "string";
    add(`-${letter}`, name, takesValue && rest !== "" ? rest : undefined);
    if (!takesValue && rest !== "") addLetters(rest);
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      positionals.push(...left.splice(0));
    } else if (word.startsWith("--")) {
      const equals = word.indexOf("=", 3);
      const spelled = equals === -1 ? word : word.slice(0, equals);
      add(spelled, spelled.slice(2), equals === -1 ? undefined : word.slice(equals + 1));
    } else if (isOption(word)) {
      addLetters(word.slice(1));
    } else {
      positionals.push(word);
    }
  }
  return { tokens, positionals };
}

/** The letters of options are never digits. */
function isOption(word: string): boolean {
  return /^-[^\d.]/.test(word);
}

interface Spelled {
  readonly spelled: string;
  readonly name: string;
  readonly option: OptionSpelling | undefined;
  readonly value: string | undefined;
  readonly isInline: boolean;
}

function requireUsable({ spelled, name, option, value, isInline }: Spelled): void {
  if (option === undefined) throw new OptionError(`Unknown option '${spelled}'`);
  if (option.type === "boolean" && value !== undefined) {
    throw new OptionError(`Option '--${name}' does not take an argument`);
  }
  const isNextOption = !isInline && value !== undefined && isOption(value);
  if (option.type === "string" && (value === undefined || isNextOption)) {
    throw new OptionError(`Option '--${name} <value>' argument missing`);
  }
}
