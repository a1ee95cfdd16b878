import type {
  ArgumentDefinition,
  CommandFacts,
  CommandTable,
  OptionDefinition,
  OptionDefinitions,
} from "../command.ts";
import { formatOptionsOf, globalOptions, globalOptionsOf } from "../input/global-options.ts";

function columnsOf(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(34, Math.max(0, ...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, words]) => {
    const room = Math.max(24, width - left - 4);
    const wrapped = words.length <= room ? [words] : Bun.wrapAnsi(words, room).split("\n");
    const head = name.length > left ? [`  ${name}`] : [];
    return [
      ...head,
      ...wrapped.map((line, index) =>
        `  ${(index === 0 && head.length === 0 ? name : "").padEnd(left)}  ${line}`.trimEnd(),
      ),
    ];
  });
}

/** `-V, --version`, `--limit <number>`: an option as help shows it. */
export function optionName(name: string, option: OptionDefinition): string {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  if (option.type === "boolean") {
    return `${short}--${option.negatable === true ? "[no-]" : ""}${name}`;
  }
  const kind = option.type === "number" ? "number" : (option.values?.join("|") ?? name);
  return `${short}--${name} <${option.placeholder ?? kind}>`;
}

export function optionWords(option: OptionDefinition): string {
  const notes: string[] = [];
  if (option.type === "string" && option.values !== undefined && option.placeholder !== undefined) {
    if (option.placeholder !== option.values.join("|")) notes.push(option.values.join(", "));
  }
  if (option.type === "number") notes.push(`${option.minimum} to ${option.maximum}`);
  if (option.type !== "boolean" && option.required === true) notes.push("required");
  if (option.type === "string" && option.repeatable === true) notes.push("repeatable");
  if (option.needs !== undefined) notes.push(`with --${option.needs}`);
  if (option.default !== undefined) notes.push(`default ${String(option.default)}`);
  if (option.deprecated !== undefined) notes.push(`deprecated: use ${option.deprecated}`);
  if (option.aliases !== undefined && option.aliases.length > 0) {
    notes.push(`also ${option.aliases.map((alias) => `--${alias}`).join(", ")}`);
  }
  return notes.length === 0 ? option.description : `${option.description} (${notes.join("; ")})`;
}

function optionRows(options: OptionDefinitions): [string, string][] {
  return Object.entries(options).map(([name, option]) => [
    optionName(name, option),
    optionWords(option),
  ]);
}

/** `<id>`, `[name]`, `<files...>`: an argument as a usage line shows it. */
export function argumentWords({ name, optional, variadic }: ArgumentDefinition): string {
  const whole = variadic === true ? `${name}...` : name;
  return optional === true ? `[${whole}]` : `<${whole}>`;
}

export function usageLine(command: CommandFacts): string {
  return ["svc", command.path, ...command.arguments.map(argumentWords), "[options]"].join(" ");
}

/** The summary up to its first comma, semicolon or colon, for lists that must be short. */
export function firstClause(summary: string): string {
  return summary.split(/[,;:] /, 1)[0] ?? summary;
}

export function commandHelp(command: CommandFacts, width: number): string {
  const sections: string[] = [command.summary, "", `Usage: ${usageLine(command)}`];
  if (command.description !== undefined) {
    sections.push("", Bun.wrapAnsi(command.description, width));
  }
  if (command.arguments.length > 0) {
    const rows = command.arguments.map((argument): [string, string] => [
      argument.name,
      argument.description,
    ]);
    sections.push("", "Arguments:", ...columnsOf(rows, width));
  }
  const own = { ...command.options, ...formatOptionsOf(command) };
  if (Object.keys(own).length > 0) {
    sections.push("", "Options:", ...columnsOf(optionRows(own), width));
  }
  const global = globalOptionsOf(command);
  sections.push("", "Global options:", ...columnsOf(optionRows(global), width));
  if (command.examples !== undefined && command.examples.length > 0) {
    sections.push("", "Examples:", ...command.examples.map((example) => `  ${example}`));
  }
  return sections.join("\n");
}

export function tableHelp(
  { commands, groups }: CommandTable,
  group: string | undefined,
  width: number,
): string {
  const summaryOf = (path: string): string | undefined =>
    groups.find((candidate) => candidate.path === path)?.summary;
  const rows = new Map<string, string>();
  for (const { path, summary } of commands) {
    const [first = path] = path.split(" ");
    if (group !== undefined) {
      if (path.startsWith(`${group} `)) rows.set(path, summary);
    } else if (!rows.has(first)) rows.set(first, summaryOf(first) ?? summary);
  }
  const command = `svc ${group === undefined ? "" : `${group} `}<command>`;
  return [
    group === undefined
      ? "svc: client, dashboard and embedded platform of the v4 interface"
      : (summaryOf(group) ?? group),
    "",
    `Usage: ${command} [options]`,
    "",
    "Commands:",
    ...columnsOf([...rows], width),
    "",
    "Global options:",
    ...columnsOf(optionRows(globalOptions), width),
    "",
    ...(group === undefined
      ? [
          "With no command on a terminal, svc opens the dashboard; with --accessible or ACCESSIBLE=1\nas lines for screen readers.",
        ]
      : []),
    `Help on a command: ${command} --help`,
    ...(group === undefined ? ["For programs and agents: svc --describe --index, svc skill"] : []),
  ].join("\n");
}
