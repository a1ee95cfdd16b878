import type { CatalogError } from "#contract/errors.ts";
import type { AnyCommand, CommandTable } from "./command.ts";
import { formatOptions, globalOptions, spellings } from "./global-options.ts";
import { nearest } from "./nearest.ts";
import { usageError } from "./usage.ts";

/** What may stand before the command's own words. */
const leadingOptions = { ...globalOptions, ...formatOptions };

/** The words that name a command, with such options skipped wherever they stand. */
function commandWords(argv: readonly string[]): { word: string; index: number }[] {
  const names = spellings(leadingOptions);
  const words: { word: string; index: number }[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (word.startsWith("-")) {
      const name = names.get(word.replace(/^--?/, ""));
      if (name !== undefined && leadingOptions[name]?.type !== "boolean") index += 1;
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
  const [word = ""] = words;
  const known = table.commands
    .filter((command) => command.path.startsWith(prefix))
    .map((command) => command.path.slice(prefix.length).split(" ")[0] ?? "");
  const near = nearest(word, known);
  const hint =
    near === undefined
      ? `Run \`svc ${prefix}--help\` for the commands`
      : `Did you mean \`svc ${prefix}${near}\`?`;
  return usageError(`unknown command "${prefix}${word}"`, hint);
}
