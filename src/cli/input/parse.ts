import type { CatalogError } from "#contract/errors.ts";
import type { CommandFacts, OptionDefinition, OptionDefinitions, ParsedInput } from "../command.ts";
import { missingField, usageError, usageFormatError } from "../errors.ts";
import { allOptions, spellings } from "./global-options.ts";
import { nearest } from "./nearest.ts";
import { readWords, type OptionSpelling, type OptionToken } from "./words.ts";

export interface Invocation {
  readonly input: ParsedInput;
  readonly deprecated: readonly string[];
}

/** Joins `--name value` to `--name=value`, so that a value may begin with a dash. */
function joinValues(words: readonly string[], options: OptionDefinitions): string[] {
  const names = spellings(options);
  const shorts = new Map<string, string>();
  for (const [name, option] of Object.entries(options)) {
    if (option.short !== undefined) shorts.set(option.short, name);
  }
  const isDeclared = (word: string): boolean =>
    (word.startsWith("--") && names.has(word.slice(2).split("=")[0] ?? "")) ||
    (/^-[A-Za-z]$/.test(word) && shorts.has(word.slice(1)));
  const joined: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return [...joined, ...words.slice(index)];
    const name = /^--[^=]+$/.test(word) ? names.get(word.slice(2)) : undefined;
    const next = words[index + 1];
    const takesValue = name !== undefined && options[name]?.type !== "boolean";
    if (takesValue && next !== undefined && next !== "--" && !isDeclared(next)) {
      joined.push(`${word}=${next}`);
      index += 1;
    } else {
      joined.push(word);
    }
  }
  return joined;
}

function checkValue(name: string, text: string, option: OptionDefinition): string | number {
  if (option.type === "number") {
    const { minimum, maximum } = option;
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw usageError(`--${name} "${text}" is not a whole number from ${minimum} to ${maximum}`);
  }
  // An unset variable of a script: an empty host would mean any host, an empty path this folder.
  if (text === "") throw usageError(`--${name} is empty`);
  if (option.type === "string" && option.values !== undefined && !option.values.includes(text)) {
    throw usageFormatError(`--${name} "${text}"`, option.values.join(", "));
  }
  return text;
}

function readArguments(
  command: CommandFacts,
  positionals: readonly string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  let index = 0;
  for (const argument of command.arguments) {
    if (argument.variadic === true) {
      values[argument.name] = positionals.slice(index);
      index = positionals.length;
    } else {
      values[argument.name] = positionals[index];
      index += 1;
    }
    const given = values[argument.name];
    const missing = given === undefined || (Array.isArray(given) && given.length === 0);
    if (missing && argument.optional !== true) {
      throw missingField(`<${argument.name}>`, `Run \`svc ${command.path} --help\``);
    }
  }
  if (index < positionals.length) {
    throw usageError(`unexpected argument "${positionals[index] ?? ""}"`);
  }
  return values;
}

function readOptions(
  command: CommandFacts,
  options: OptionDefinitions,
  tokens: readonly OptionToken[],
): { values: Record<string, unknown>; given: ReadonlySet<string>; deprecated: string[] } {
  const names = spellings(options);
  const values: Record<string, unknown> = {};
  const deprecated: string[] = [];
  for (const token of tokens) {
    const name = names.get(token.name);
    const option = name === undefined ? undefined : options[name];
    if (name === undefined || option === undefined) continue;
    if (option.deprecated !== undefined) deprecated.push(name);
    if (option.type === "boolean") {
      values[name] = token.name !== `no-${name}` || name.startsWith("no-");
    } else if (option.type === "string" && option.repeatable === true) {
      const list = values[name];
      values[name] = [
        ...(Array.isArray(list) ? list : []),
        checkValue(name, token.value ?? "", option),
      ];
    } else {
      const value = checkValue(name, token.value ?? "", option);
      if (values[name] !== undefined && values[name] !== value) {
        throw usageError(`--${name} is given twice with different values`);
      }
      values[name] = value;
    }
  }
  const given = new Set(Object.keys(values).filter((name) => values[name] !== false));
  for (const name of given) {
    const excluded = options[name]?.excludes?.find((other) => given.has(other));
    if (excluded !== undefined) throw usageError(`--${name} and --${excluded} exclude each other`);
    const needed = options[name]?.needs;
    if (needed !== undefined && !given.has(needed)) {
      throw missingField(`--${needed}`, `--${name} needs --${needed}`);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (values[name] !== undefined) continue;
    if (option.type !== "boolean" && option.required === true) {
      throw missingField(`--${name}`, `Run \`svc ${command.path} --help\``);
    }
    if (option.default !== undefined) values[name] = option.default;
    else if (option.type === "boolean" && option.negatable !== true) values[name] = false;
    else if (option.type === "string" && option.repeatable === true) values[name] = [];
  }
  return { values, given, deprecated };
}

/** The checked input of a command's words. Throws E303, E304 or E305 with exit code 2. */
export function parseInvocation(command: CommandFacts, rest: readonly string[]): Invocation {
  const options = allOptions(command);
  const config: Record<string, OptionSpelling> = {};
  for (const [spelling, name] of spellings(options)) {
    const option = options[name];
    if (option === undefined) continue;
    config[spelling] = {
      type: option.type === "boolean" ? "boolean" : "string",
      ...(option.short === undefined || spelling !== name ? {} : { short: option.short }),
    };
  }
  let parsed: ReturnType<typeof readWords>;
  try {
    parsed = readWords(joinValues(rest, options), config, command.anyOptions !== true);
  } catch (error) {
    throw parseFailure(error, command, config);
  }
  const { values, given, deprecated } = readOptions(command, options, parsed.tokens);
  return {
    input: { options: values, arguments: readArguments(command, parsed.positionals), given },
    deprecated,
  };
}

function parseFailure(
  error: unknown,
  command: CommandFacts,
  known: Readonly<Record<string, unknown>>,
): CatalogError {
  const text = error instanceof Error ? error.message : "unreadable options";
  const unknown = /Unknown option '(-{1,2}[^']+)'/.exec(text)?.[1];
  const help = `Run \`svc ${command.path} --help\` for the options`;
  if (unknown !== undefined) {
    const near = nearest(unknown.replace(/^-+/, ""), Object.keys(known));
    return usageError(
      `unknown option "${unknown}"`,
      near === undefined ? help : `Did you mean \`--${near}\`?`,
    );
  }
  const missing =
    /Option '(?:-\w, )?(--[^' ]+)[^']*' (?:argument missing|argument is ambiguous)/.exec(text)?.[1];
  if (missing !== undefined) return usageError(`${missing} needs a value`, help);
  const flag = /Option '(?:-\w, )?(--[^' ]+)[^']*' does not take an argument/.exec(text)?.[1];
  if (flag !== undefined) return usageError(`${flag} takes no value`, help);
  return usageError(text.split("\n")[0] ?? text, help);
}
