import type { CatalogError } from "#contract/errors.ts";
import type { CommandFacts, CommandTable, OptionDefinitions } from "../command.ts";
import { formatOptions, globalOptions, spellings } from "./global-options.ts";
import { nearest } from "./nearest.ts";
import { usageError } from "../errors.ts";

/** Options that may precede the command's words. */
const leadingOptions = { ...globalOptions, ...formatOptions };

function commandWords(
  table: CommandTable,
  argv: readonly string[],
): { word: string; index: number }[] {
  const words: { word: string; index: number }[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) {
      words.push({ word: words.length === 0 ? newName(table, word) : word, index });
    } else if (word.startsWith("--") && takesValue(table, words, word.slice(2))) index += 1;
  }
  return words;
}

/** The current name of a group that was renamed. */
function newName({ groups }: CommandTable, word: string): string {
  return groups.find(({ oldNames }) => oldNames?.includes(word) === true)?.path ?? word;
}

/** Returns whether the next word is a value: `serve --data-dir backup` is not `serve backup`. */
function takesValue(
  table: CommandTable,
  words: readonly { readonly word: string }[],
  spelling: string,
): boolean {
  const isOfOne = (options: OptionDefinitions): boolean => {
    const option = options[spellings(options).get(spelling) ?? ""];
    return option !== undefined && option.type !== "boolean";
  };
  if (spellings(leadingOptions).has(spelling)) return isOfOne(leadingOptions);
  const prefix = words.map(({ word }) => word).join(" ");
  return table.commands.some(
    ({ path, options }) =>
      (prefix === "" ||
        `${path} `.startsWith(`${prefix} `) ||
        `${prefix} `.startsWith(`${path} `)) &&
      isOfOne(options),
  );
}

/** The command that `argv` names (the longest match), and `argv` without its words. */
export function findCommand(
  table: CommandTable,
  argv: readonly string[],
): {
  command?: CommandFacts;
  group?: string;
  /** The deprecated name that the call has in place of the group's. */
  oldName?: string;
  rest: string[];
  words: string[];
} {
  const words = commandWords(table, argv);
  const [named] = words;
  const typed = argv[named?.index ?? 0] ?? "";
  const oldName = named === undefined || named.word === typed ? {} : { oldName: typed };
  for (let length = Math.min(words.length, 4); length > 0; length -= 1) {
    const first = words.slice(0, length);
    const path = first.map((entry) => entry.word).join(" ");
    const taken = new Set(first.map((entry) => entry.index));
    const rest = argv.filter((_, index) => !taken.has(index));
    const command = table.commands.find((candidate) => candidate.path === path);
    const group = table.groups.find((candidate) => candidate.path === path);
    if (command !== undefined) return { command, ...oldName, rest, words: [] };
    if (group !== undefined) {
      return {
        group: path,
        ...oldName,
        rest,
        words: words.slice(length).map((entry) => entry.word),
      };
    }
  }
  return { rest: [...argv], words: words.map((entry) => entry.word) };
}

export function unknownGroupOption(
  table: CommandTable,
  group: string,
  argv: readonly string[],
): string | undefined {
  const below = table.commands.filter(({ path }) => path.startsWith(`${group} `));
  const known = [leadingOptions, ...below.map(({ options }) => options)];
  const names = new Set(known.flatMap((options) => [...spellings(options).keys()]));
  const words = [{ word: group }];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) continue;
    const [option = ""] = word.split("=", 1);
    // The known one-letter options (help, version) are already handled.
    if (!option.startsWith("--") || !names.has(option.slice(2))) return option;
    if (option === word && takesValue(table, words, word.slice(2))) index += 1;
  }
  return undefined;
}

/** The error (E305, wrong usage) for words that name no command, with the nearest command. */
export function unknownCommand(
  table: CommandTable,
  group: string | undefined,
  words: readonly string[],
): CatalogError {
  const prefix = group === undefined ? "" : `${group} `;
  const [word = ""] = words;
  const known = table.commands
    .filter((command) => command.path.startsWith(prefix))
    .map((command) => command.path.slice(prefix.length).split(" ")[0] ?? "");
  const near = nearest(word, known);
  const hint = near === undefined ? commandsHint(group) : `Did you mean \`svc ${prefix}${near}\`?`;
  return usageError(`unknown command "${prefix}${word}"`, hint);
}

export function commandsHint(group: string | undefined): string {
  return `Run \`svc ${group === undefined ? "" : `${group} `}--help\` for the commands`;
}
