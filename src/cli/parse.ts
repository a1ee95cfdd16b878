import { parseArgs } from "node:util";
import { catalogError, exitCodes } from "#contract/errors.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { AnyCommand, CommandTable, OptionDefinition, ParsedInput } from "./command.ts";
import { formatOptions, globalOptions } from "./global-options.ts";
import { nearest } from "./nearest.ts";

/** What the words of a call come to. */
export interface Invocation<Context> {
  readonly command: AnyCommand<Context>;
  readonly input: ParsedInput;
  /** Names of deprecated options that were used. */
  readonly deprecated: readonly string[];
}

/** Wrong usage: exit code 2, with what is wrong and what to type. */
export function usageError(details: string, hint?: string): CatalogError {
  return catalogError(
    "E305",
    { details },
    { exitCode: exitCodes.usage, ...(hint === undefined ? {} : { hint }) },
  );
}

/** The options a command takes: its own, the global ones and, unless refused, the format ones. */
export function allOptions<Context>(
  command: AnyCommand<Context> | undefined,
): Readonly<Record<string, OptionDefinition>> {
  return {
    ...command?.options,
    ...(command === undefined || command.formats === false ? {} : formatOptions),
    ...globalOptions,
  };
}

/** Long names and aliases -> canonical name. */
function spellings(options: Readonly<Record<string, OptionDefinition>>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, option] of Object.entries(options)) {
    names.set(name, name);
    for (const alias of option.aliases ?? []) names.set(alias, name);
    if (option.type === "boolean" && option.negatable === true) names.set(`no-${name}`, name);
  }
  return names;
}

/**
 * Joins `--name value` to `--name=value`, so that a value may begin with a dash
 * (`--sort -created_at`); a following declared option is never taken as the value.
 */
function joinValues(
  words: readonly string[],
  options: Readonly<Record<string, OptionDefinition>>,
): string[] {
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

/** The words that name a command, with global options skipped wherever they stand. */
function commandWords(argv: readonly string[]): { word: string; index: number }[] {
  const names = spellings(globalOptions);
  const words: { word: string; index: number }[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (word.startsWith("-")) {
      const name = names.get(word.replace(/^--?/, ""));
      if (name !== undefined && globalOptions[name]?.type !== "boolean") index += 1;
      continue;
    }
    words.push({ word, index });
  }
  return words;
}

/** The command that `argv` names (longest match), and `argv` without those words. */
export function findCommand<Context>(
  table: CommandTable<Context>,
  argv: readonly string[],
): { command?: AnyCommand<Context>; group?: string; rest: string[]; words: string[] } {
  const words = commandWords(argv);
  for (let length = Math.min(words.length, 4); length > 0; length -= 1) {
    const path = words
      .slice(0, length)
      .map((entry) => entry.word)
      .join(" ");
    const taken = new Set(words.slice(0, length).map((entry) => entry.index));
    const rest = argv.filter((_, index) => !taken.has(index));
    const command = table.commands.find((candidate) => candidate.path === path);
    const group = table.groups.find((candidate) => candidate.path === path);
    if (command !== undefined) return { command, rest, words: [] };
    if (group !== undefined) {
      return { group: path, rest, words: words.slice(length).map((entry) => entry.word) };
    }
  }
  return { rest: [...argv], words: words.map((entry) => entry.word) };
}

/** Refusal for words that name no command, with the nearest ones. */
export function unknownCommand<Context>(
  table: CommandTable<Context>,
  group: string | undefined,
  words: readonly string[],
): CatalogError {
  const prefix = group === undefined ? "" : `${group} `;
  const tried = `${prefix}${words[0] ?? ""}`;
  const known = table.commands
    .map((command) => command.path.split(" ").slice(0, tried.split(" ").length).join(" "))
    .filter((path) => path.startsWith(prefix));
  const near = nearest(tried, known);
  const hint =
    near === undefined
      ? `Run \`svc ${prefix}--help\` for the commands`
      : `Did you mean \`svc ${near}\`?`;
  return usageError(`unknown command "${tried}"`, hint);
}

function parseNumber(name: string, text: string, option: OptionDefinition): number {
  if (option.type !== "number") throw new TypeError(`option ${name} is not a number`);
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < option.minimum || value > option.maximum) {
    throw usageError(
      `--${name} "${text}" is not a whole number from ${option.minimum} to ${option.maximum}`,
    );
  }
  return value;
}

function checkValue(name: string, text: string, option: OptionDefinition): string | number {
  if (option.type === "number") return parseNumber(name, text, option);
  if (option.type === "string" && option.values !== undefined && !option.values.includes(text)) {
    throw catalogError(
      "E304",
      { details: `--${name} "${text}"`, validFormats: option.values.join(", ") },
      { exitCode: exitCodes.usage },
    );
  }
  return text;
}

function readArguments<Context>(
  command: AnyCommand<Context>,
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
      throw catalogError(
        "E303",
        { field: `<${argument.name}>` },
        { exitCode: exitCodes.usage, hint: `Run \`svc ${command.path} --help\`` },
      );
    }
  }
  if (index < positionals.length) {
    throw usageError(`unexpected argument "${positionals[index] ?? ""}"`);
  }
  return values;
}

interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string | undefined;
}

function readOptions<Context>(
  command: AnyCommand<Context>,
  options: Readonly<Record<string, OptionDefinition>>,
  tokens: readonly Token[],
): { values: Record<string, unknown>; deprecated: string[] } {
  const names = spellings(options);
  const values: Record<string, unknown> = {};
  const deprecated: string[] = [];
  for (const token of tokens) {
    if (token.kind !== "option" || token.name === undefined) continue;
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
  for (const [name, option] of Object.entries(options)) {
    if (values[name] !== undefined) continue;
    if (option.type !== "boolean" && option.required === true) {
      throw catalogError(
        "E303",
        { field: `--${name}` },
        { exitCode: exitCodes.usage, hint: `Run \`svc ${command.path} --help\`` },
      );
    }
    if (option.default !== undefined) values[name] = option.default;
    else if (option.type === "boolean" && option.negatable !== true) values[name] = false;
    else if (option.type === "string" && option.repeatable === true) values[name] = [];
  }
  return { values, deprecated };
}

/** Turns the words after a command's name into checked input. Throws E303, E304 or E305, exit 2. */
export function parseInvocation<Context>(
  command: AnyCommand<Context>,
  rest: readonly string[],
): Invocation<Context> {
  const options = allOptions(command);
  const config: Record<string, { type: "string" | "boolean"; short?: string; multiple: true }> = {};
  for (const [spelling, name] of spellings(options)) {
    const option = options[name];
    if (option === undefined) continue;
    config[spelling] = {
      type: option.type === "boolean" ? "boolean" : "string",
      multiple: true,
      ...(option.short === undefined || spelling !== name ? {} : { short: option.short }),
    };
  }
  let parsed: { positionals: string[]; tokens: Token[] };
  try {
    parsed = parseArgs({
      args: joinValues(rest, options),
      options: config,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
  } catch (error) {
    throw parseFailure(error, command, config);
  }
  const { values, deprecated } = readOptions(command, options, parsed.tokens);
  return {
    command,
    input: { options: values, arguments: readArguments(command, parsed.positionals) },
    deprecated,
  };
}

function parseFailure<Context>(
  error: unknown,
  command: AnyCommand<Context>,
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
