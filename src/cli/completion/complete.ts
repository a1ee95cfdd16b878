import type {
  ArgumentDefinition,
  CommandFacts,
  CommandTable,
  OptionDefinition,
  OptionDefinitions,
} from "../command.ts";
import { findCommand } from "../input/find.ts";
import { allOptions, formatOptions, globalOptions, spellings } from "../input/global-options.ts";

/** A word that fits at the cursor. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** The value that a command expects at the cursor, when its definition does not list the values. */
export interface WantedValue {
  readonly command: string;
  readonly option?: { readonly name: string; readonly definition: OptionDefinition };
  readonly argument?: ArgumentDefinition;
  /** The words of the arguments before the cursor. */
  readonly positionals: readonly string[];
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly wanted?: WantedValue;
  /** The part of the word that precedes its value, e.g. `--format=`. */
  readonly prefix: string;
}

const nothing: Completion = { candidates: [], prefix: "" };

/**
 * The words that may follow `previous`, the complete words after `svc`, in place of the unfinished
 * word `current`. The candidates are not yet reduced to those that begin with it.
 */
export function complete(
  table: CommandTable,
  previous: readonly string[],
  current: string,
): Completion {
  const end = previous.indexOf("--");
  const own = end < 0 ? previous : previous.slice(0, end);
  const { command, group, rest, words } = findCommand(table, own);
  if (end >= 0) {
    // `svc demo -- resources …` runs another command.
    return command?.runsAnother === true
      ? complete(table, previous.slice(end + 1), current)
      : nothing;
  }
  if (words.length > 0) return nothing;
  const options = command === undefined ? leadingOptions : allOptions(command);
  const names = spellings(options);
  const path = command?.path ?? group ?? "";

  const joined = /^(--[^=]+)=/.exec(current);
  const asked = joined === null ? previous.at(-1) : joined[1];
  const name = asked?.startsWith("--") === true ? names.get(asked.slice(2)) : undefined;
  const option = name === undefined ? undefined : options[name];
  if (name !== undefined && option !== undefined && option.type !== "boolean") {
    return valueOf(path, name, option, joined?.[0] ?? "", positionalsOf(rest, options));
  }
  if (joined !== null) return nothing;
  if (current.startsWith("-")) {
    return { candidates: optionNames(options, previous), prefix: "" };
  }
  const below = nextWords(table, path);
  if (command === undefined) return { candidates: below, prefix: "" };
  const positionals = positionalsOf(rest, options);
  const argument = argumentAt(command, positionals.length);
  const isFirst = positionals.length === 0;
  return {
    candidates: isFirst ? below : [],
    prefix: "",
    ...(argument === undefined ? {} : { wanted: { command: path, argument, positionals } }),
  };
}

const leadingOptions = { ...globalOptions, ...formatOptions };

function valueOf(
  command: string,
  name: string,
  definition: OptionDefinition,
  prefix: string,
  positionals: readonly string[],
): Completion {
  if (definition.type === "string" && definition.values !== undefined) {
    const candidates = definition.values.map((value) => ({ value, description: "" }));
    return { candidates, prefix };
  }
  if (definition.type === "number") return { ...nothing, prefix };
  return { candidates: [], prefix, wanted: { command, option: { name, definition }, positionals } };
}

/** The words of the command that are neither options nor their values. */
function positionalsOf(words: readonly string[], options: OptionDefinitions): string[] {
  const names = spellings(options);
  const positionals: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("-") || word === "-") positionals.push(word);
    else if (!word.includes("=") && word.startsWith("--")) {
      const option = options[names.get(word.slice(2)) ?? ""];
      if (option !== undefined && option.type !== "boolean") index += 1;
    }
  }
  return positionals;
}

function argumentAt(command: CommandFacts, index: number): ArgumentDefinition | undefined {
  const last = command.arguments.at(-1);
  return command.arguments[index] ?? (last?.variadic === true ? last : undefined);
}

/** The words that continue a path, with the summary of the command or group that each begins. */
function nextWords(table: CommandTable, path: string): Candidate[] {
  const prefix = path === "" ? "" : `${path} `;
  const found = new Map<string, string>();
  const exact = new Set<string>();
  for (const { path: other, summary } of [...table.groups, ...table.commands]) {
    if (!other.startsWith(prefix)) continue;
    const [word = "", ...more] = other.slice(prefix.length).split(" ");
    if (word === "") continue;
    // A longer path names the word only until the word's own summary is found.
    if (!found.has(word) || (more.length === 0 && !exact.has(word))) found.set(word, summary);
    if (more.length === 0) exact.add(word);
  }
  return [...found].map(([value, description]) => ({ value, description }));
}

function optionNames(options: OptionDefinitions, previous: readonly string[]): Candidate[] {
  const names = spellings(options);
  const given = new Set(
    previous
      .filter((word) => word.startsWith("--"))
      .map((word) => names.get(word.slice(2).split("=")[0] ?? "")),
  );
  return Object.entries(options).flatMap(([name, option]) => {
    const isRepeatable = option.type === "string" && option.repeatable === true;
    const isExcluded = option.excludes?.some((other) => given.has(other)) === true;
    if (option.deprecated !== undefined || isExcluded) return [];
    if (given.has(name) && !isRepeatable) return [];
    const candidate = { value: `--${name}`, description: option.description };
    const isNegatable = option.type === "boolean" && option.negatable === true;
    return isNegatable ? [candidate, { ...candidate, value: `--no-${name}` }] : [candidate];
  });
}
