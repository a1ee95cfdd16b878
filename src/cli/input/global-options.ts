import { formats, type CommandFacts, type Format, type OptionDefinitions } from "../command.ts";

/** Flags that every command accepts (spec 4.7). */
export const globalOptions: OptionDefinitions = {
  profile: {
    type: "string",
    placeholder: "name",
    description: "Profile to use (environment: SVC_PROFILE)",
  },
  "insecure-http": {
    type: "boolean",
    description:
      "Send the token over plain http to other machines (environment: SVC_INSECURE_HTTP=1)",
  },
  simple: { type: "boolean", description: "Plain lines: no colour, no aligned tables" },
  color: { type: "boolean", description: "Colour even where stdout is not a terminal" },
  "no-color": { type: "boolean", description: "No colour (environment: NO_COLOR)" },
  describe: { type: "boolean", description: "Print a JSON schema of the command and exit" },
  version: { type: "boolean", short: "V", description: "Print the version and exit" },
  help: { type: "boolean", short: "h", description: "Print this help and exit" },
};

const formatWords = "Output format (default text; environment: SVC_FORMAT)";

/** Flags of every command that prints data. */
export const formatOptions: OptionDefinitions = {
  format: {
    type: "string",
    values: ["text", "json"],
    placeholder: "text|json",
    description: formatWords,
  },
  jq: {
    type: "string",
    placeholder: "query",
    description: "Print what this jq query makes of the JSON",
    excludes: ["template"],
  },
  template: {
    type: "string",
    placeholder: "text",
    description: "Print the JSON by this Liquid template",
    excludes: ["jq"],
  },
  json: { type: "boolean", deprecated: "--format json", description: "Old name of --format json" },
};

function withFormats(...values: readonly Format[]): OptionDefinitions {
  const format = { type: "string", values, placeholder: values.join("|") } as const;
  return { ...formatOptions, format: { ...format, description: formatWords } };
}

const rowFormatOptions = withFormats(...formats);
const lineFormatOptions = withFormats("text", "json", "ndjson");

export function formatOptionsOf(command: CommandFacts | undefined): OptionDefinitions {
  if (command === undefined || command.formats === false) return {};
  if (command.formats === "rows") return rowFormatOptions;
  return command.rows === undefined ? formatOptions : lineFormatOptions;
}

/** All options of a command. Its own override global ones, e.g. `resources update --version 3`. */
export function allOptions(command: CommandFacts | undefined): OptionDefinitions {
  return { ...globalOptions, ...formatOptionsOf(command), ...command?.options };
}

/** The global options that a command does not override. */
export function globalOptionsOf(command: CommandFacts): OptionDefinitions {
  const entries = Object.entries(globalOptions);
  return Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(command.options, name)));
}

/** Long names and aliases, each with its option's name. */
export function spellings(options: OptionDefinitions): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, option] of Object.entries(options)) {
    names.set(name, name);
    for (const alias of option.aliases ?? []) names.set(alias, name);
    if (option.type === "boolean" && option.negatable === true) names.set(`no-${name}`, name);
  }
  return names;
}
