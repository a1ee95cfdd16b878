import { given } from "#lib/given.ts";
import type {
  CommandFacts,
  CommandTable,
  OptionDefinition,
  OptionDefinitions,
} from "../command.ts";
import { exitCodesOf, exitCodeWords } from "../exit-codes.ts";
import { allOptions, globalOptions } from "../input/global-options.ts";
import { argumentWords, firstClause } from "./help.ts";

function optionSchema(option: OptionDefinition): Record<string, unknown> {
  const facts: Record<string, unknown> = { description: option.description };
  if (option.default !== undefined) facts["default"] = option.default;
  if (option.deprecated !== undefined) facts["deprecated"] = true;
  if (option.aliases !== undefined) facts["aliases"] = option.aliases;
  if (option.type === "boolean") return { type: "boolean", ...facts };
  if (option.type === "number") {
    return { type: "integer", minimum: option.minimum, maximum: option.maximum, ...facts };
  }
  const text = {
    type: "string",
    ...given({ enum: option.values }),
  };
  return option.repeatable === true
    ? { type: "array", items: text, ...facts }
    : { ...text, ...facts };
}

/** A JSON Schema; named parts are in `$defs`. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $defs?: Readonly<Record<string, unknown>>;
}

/** The schemas of the JSON that a command prints. */
export interface AnswerSchemas {
  /** Absent for a command without such a format. */
  readonly output?: JsonSchema;
  /** The answer is one value per line. */
  readonly isLines: boolean;
  readonly error: JsonSchema;
}

/** Returns the schemas of the command with this path; loaded only for a description. */
export type SchemasOf = (path: string) => AnswerSchemas;

type Definitions = Record<string, unknown>;

/** A schema without its named parts, which the description has once. */
function withoutDefinitions(schema: JsonSchema, definitions: Definitions): unknown {
  const { $defs: named, ...rest } = schema;
  Object.assign(definitions, named);
  return rest;
}

/** The arguments and options of a command as an object's schema; its own options come first. */
function inputSchema(command: CommandFacts, options: OptionDefinitions): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const dependentRequired: Record<string, string[]> = {};
  for (const argument of command.arguments) {
    properties[argument.name] = {
      ...(argument.variadic === true
        ? { type: "array", items: { type: "string" } }
        : { type: "string" }),
      description: argument.description,
      positional: true,
    };
    if (argument.optional !== true) required.push(argument.name);
  }
  for (const [name, option] of Object.entries(options)) {
    properties[name] = optionSchema(option);
    if (option.type !== "boolean" && option.required === true) required.push(name);
    if (option.needs !== undefined) dependentRequired[name] = [option.needs];
  }
  return {
    type: "object",
    properties,
    required,
    ...(Object.keys(dependentRequired).length === 0 ? {} : { dependentRequired }),
    additionalProperties: false,
  };
}

function describedIn(
  command: CommandFacts,
  schemasOf: SchemasOf,
  definitions: Definitions,
): Record<string, unknown> {
  const { output, isLines, error } = schemasOf(command.path);
  return {
    command: command.path,
    title: `svc ${command.path}`,
    description: command.summary,
    ...inputSchema(command, { ...command.options, ...allOptions(command) }),
    ...given({ routes: command.routes, examples: command.examples }),
    exitCodes: Object.fromEntries(exitCodesOf(command).map((code) => [code, exitCodeWords[code]])),
    ...(output === undefined
      ? {}
      : { [isLines ? "outputLine" : "output"]: withoutDefinitions(output, definitions) }),
    error: withoutDefinitions(error, definitions),
  };
}

/**
 * One command: JSON Schema of its input, its routes, examples and exit codes, and the schemas of
 * its JSON `output` (or of each `outputLine`) and of its `error`.
 */
export function describeCommand(
  command: CommandFacts,
  schemasOf: SchemasOf,
): Record<string, unknown> {
  const definitions: Definitions = {};
  const described = describedIn(command, schemasOf, definitions);
  return { ...described, $defs: definitions };
}

/** `--describe`: a JSON Schema of all commands, or of those in a group. */
export function describeTable(
  table: CommandTable,
  version: string,
  schemasOf: SchemasOf,
  group?: string,
): Record<string, unknown> {
  const definitions: Definitions = {};
  const oneOf = commandsIn(table, group).map((command) =>
    describedIn(command, schemasOf, definitions),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "svc",
    version,
    globalOptions: Object.fromEntries(
      Object.entries(globalOptions).map(([name, option]) => [name, optionSchema(option)]),
    ),
    exitCodes: exitCodeWords,
    oneOf,
    $defs: definitions,
  };
}

/** The size of the index as JSON, with the end of its line: it is read before each task. */
const maximumIndexBytes = 12_000;

/**
 * `--describe --index`: every command with its arguments and the first clause of its summary, by
 * its first word. A caller chooses with it, then asks for the description of one command. Summaries
 * have no articles, and the longest ones are cut, so that the index has at most 12 kB.
 */
export function describeIndex(
  table: CommandTable,
  version: string,
  group?: string,
): Record<string, unknown> {
  const commands = commandsIn(table, group);
  let longest = Math.max(...commands.map(({ summary }) => summary.length));
  for (;;) {
    const index = {
      svc: version,
      details: "svc <command> --describe",
      commands: indexOf(table, commands, longest),
    };
    const bytes = Buffer.byteLength(JSON.stringify(index)) + 1;
    if (bytes <= maximumIndexBytes || longest === 0) return index;
    longest -= 1;
  }
}

function indexOf(
  table: CommandTable,
  commands: readonly CommandFacts[],
  longest: number,
): Record<string, string | Record<string, string>> {
  const index: Record<string, string | Record<string, string>> = {};
  for (const command of commands) {
    const [first = "", ...rest] = command.path.split(" ");
    const words = [...rest, ...command.arguments.map(argumentWords)].join(" ");
    const isGroup = table.commands.some(({ path }) => path.startsWith(`${first} `));
    const clause = firstClause(command.summary).replaceAll(/ (?:an?|the)(?= )/g, "");
    const summary = cutAtWord(clause, longest);
    const known = index[first];
    if (isGroup) index[first] = { ...(typeof known === "object" ? known : {}), [words]: summary };
    else index[[first, words].filter((word) => word !== "").join(" ")] = summary;
  }
  return index;
}

/** Words that say nothing without the ones after them. */
const openEnd = /(?: (?:and|as|at|before|by|for|from|in|its|of|on|or|that|to|with))+$/;

/** The whole words of a text that fit, then `…` if any is left out. */
function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text
    .slice(0, length)
    .replace(/\s*\S*$/, "")
    .replace(openEnd, "")}…`;
}

function commandsIn(table: CommandTable, group: string | undefined): readonly CommandFacts[] {
  return table.commands.filter(
    ({ path }) => group === undefined || path === group || path.startsWith(`${group} `),
  );
}

/** The longest name that function calling accepts. */
const maximumToolName = 64;

/**
 * `--describe --format openai-tools`: the commands as function tools. The name is the command's
 * path with `_` for blanks. Its words are the properties marked as positional, in their order, then
 * `--name value` for the others; `--format json` gives the answer.
 */
export function describeTools(
  table: CommandTable,
  group?: string,
): readonly Record<string, unknown>[] {
  return commandsIn(table, group)
    .filter(({ formats, runsAnother, isServer }) => {
      return formats !== false && runsAnother !== true && isServer !== true;
    })
    .map((command) => ({
      type: "function",
      function: {
        name: command.path.replaceAll(" ", "_").slice(0, maximumToolName),
        description: [`svc ${command.path}: ${command.summary}.`, command.description ?? ""]
          .join(" ")
          .trim(),
        parameters: inputSchema(command, usableOptions(command.options)),
      },
    }));
}

function usableOptions(options: OptionDefinitions): OptionDefinitions {
  const entries = Object.entries(options);
  return Object.fromEntries(entries.filter(([, { deprecated }]) => deprecated === undefined));
}
