import { catalogError, exitCodes } from "#contract/errors.ts";
import type { CatalogError } from "#contract/errors.ts";
import { formats } from "./command.ts";
import type { AnyCommand, CommandTable, Format } from "./command.ts";
import type { Environment } from "./environment.ts";
import { asCatalogError, noteHelp, reportFailure } from "./failure.ts";
import { commandHelp, tableHelp } from "./help.ts";
import { Output, OutputClosed } from "./output.ts";
import { findCommand, unknownCommand, unknownGroupOption } from "./find.ts";
import { usageError } from "./usage.ts";

export interface RunOptions<Context> {
  readonly table: CommandTable<Context>;
  readonly version: string;
  /** Builds what a command sees; called only for a command that really runs. */
  createContext(environment: Environment, output: Output, options: GlobalInput): Context;
  /** `svc` with no words on a terminal. */
  openDashboard(context: Context): Promise<number>;
}

/** Values of the global flags that a context needs. */
export interface GlobalInput {
  readonly profile: string | undefined;
}

/** The words of this call; what follows `--` belongs to another one. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}

/** Whether this call has the flag; before parsing, since help and version must come without. */
function hasFlag(argv: readonly string[], name: string): boolean {
  return ownWords(argv).includes(name);
}

/** The format before parsing: a refusal of the words must already come in it. */
function earlyFormat(environment: Environment): Format {
  const { argv, variables } = environment;
  if (hasFlag(argv, "--json") || hasFlag(argv, "--format=json")) return "json";
  const words = ownWords(argv);
  const index = words.indexOf("--format");
  if (index >= 0) return words[index + 1] === "json" ? "json" : "text";
  if (hasFlag(argv, "--format=text")) return "text";
  return variables["SVC_FORMAT"] === "json" ? "json" : "text";
}

function wantsColour(environment: Environment): boolean {
  const { argv, variables, stdout } = environment;
  if (hasFlag(argv, "--no-color") || hasFlag(argv, "--simple")) return false;
  if (hasFlag(argv, "--color")) return true;
  if ((variables["NO_COLOR"] ?? "") !== "" || variables["TERM"] === "dumb") return false;
  return stdout.isTerminal;
}

function createOutput(environment: Environment, format: Format): Output {
  return new Output(environment, {
    format,
    colour: wantsColour(environment),
    simple: hasFlag(environment.argv, "--simple"),
  });
}

/** Runs what `environment.argv` says and resolves to the exit code; never rejects. */
export async function runProgram<Context>(
  environment: Environment,
  options: RunOptions<Context>,
): Promise<number> {
  const output = createOutput(environment, earlyFormat(environment));
  let path: string | undefined;
  try {
    const found = findCommand(options.table, environment.argv);
    path = found.command?.path ?? found.group;
    return await dispatch(environment, options, output, found);
  } catch (error) {
    if (error instanceof OutputClosed) {
      // Ctrl-C in a pipeline ends the reader too.
      return environment.signal.aborted ? exitCodes.interrupted : exitCodes.done;
    }
    const failure = asCatalogError(error, environment.signal.aborted);
    if (environment.variables["SVC_DEBUG"] === "1" && failure.cause instanceof Error) {
      const { redact } = await import("#lib/redact.ts");
      await output.note(redact(`debug: ${failure.cause.name}: ${failure.cause.message}`));
    }
    const exitCode =
      failure.exitCode === exitCodes.interrupted
        ? (environment.stopExitCode?.() ?? failure.exitCode)
        : failure.exitCode;
    await reportFailure(output, failure, path, exitCode);
    return exitCode;
  } finally {
    await output.progress("");
  }
}

async function dispatch<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  found: ReturnType<typeof findCommand<Context>>,
): Promise<number> {
  const { table } = options;
  const { argv } = environment;
  const width = Math.min(100, output.columns);
  const print = (text: string): Promise<void> => output.page(text);
  const { command, group } = found;
  const ownsVersion = command !== undefined && Object.hasOwn(command.options, "version");
  if (hasFlag(argv, "-V") || (hasFlag(argv, "--version") && !ownsVersion)) {
    await print(options.version);
    return exitCodes.done;
  }
  const asksHelp = hasFlag(argv, "--help") || hasFlag(argv, "-h");
  const asksDescription = hasFlag(argv, "--describe");
  if (command === undefined) {
    if (found.words[0] === "help") {
      // `svc help docs upload` and `svc docs help upload` are the same question.
      const about = findCommand(table, [...(group?.split(" ") ?? []), ...found.words.slice(1)]);
      if (about.command !== undefined) {
        await print(commandHelp(about.command, width));
        return exitCodes.done;
      }
      if (about.words.length > 0) throw unknownCommand(table, about.group, about.words);
      await print(tableHelp(table, about.group, width));
      return exitCodes.done;
    }
    if (found.words.length > 0) throw unknownCommand(table, group, found.words);
    if (asksDescription) {
      const { describeTable } = await import("./describe.ts");
      await print(JSON.stringify(describeTable(table, options.version, group), null, 2));
      return exitCodes.done;
    }
    if (asksHelp) {
      await print(tableHelp(table, group, width));
      return exitCodes.done;
    }
    if (group !== undefined) {
      const unknown = unknownGroupOption(table, group, found.rest);
      if (unknown !== undefined) throw unknownOption(unknown, group);
      return commandMissing(output, table, group, width);
    }
    return openDashboard(environment, options, output, width);
  }
  if (asksHelp) {
    await print(commandHelp(command, width));
    return exitCodes.done;
  }
  if (asksDescription) {
    const { describeCommand } = await import("./describe.ts");
    await print(JSON.stringify(describeCommand(command), null, 2));
    return exitCodes.done;
  }
  return runCommand(environment, options, output, command, found.rest);
}

function whereCommandsStand(group: string | undefined): string {
  return `Run \`svc ${group === undefined ? "" : `${group} `}--help\` for the commands`;
}

function unknownOption(option: string, group?: string): CatalogError {
  return usageError(`unknown option "${option}"`, whereCommandsStand(group));
}

/** Words that name no command yet: people get the ones there are, a script its one JSON value. */
async function commandMissing<Context>(
  output: Output,
  table: CommandTable<Context>,
  group: string | undefined,
  width: number,
): Promise<number> {
  if (output.isJson) {
    throw catalogError("E303", { field: "<command>" }, { hint: whereCommandsStand(group) });
  }
  await output.note(tableHelp(table, group, width));
  return exitCodes.usage;
}

async function openDashboard<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  width: number,
): Promise<number> {
  const unknown = environment.argv.find(
    (word) => word.startsWith("-") && !/^--(profile|no-color|color|simple)(=|$)/.test(word),
  );
  if (unknown !== undefined) throw unknownOption(unknown);
  if (!environment.stdin.isTerminal || !environment.stdout.isTerminal) {
    return commandMissing(output, options.table, undefined, width);
  }
  const context = options.createContext(environment, output, {
    profile: profileFlag(environment.argv),
  });
  return options.openDashboard(context);
}

function profileFlag(argv: readonly string[]): string | undefined {
  const joined = argv.find((word) => word.startsWith("--profile="));
  if (joined !== undefined) return joined.slice("--profile=".length);
  const index = argv.indexOf("--profile");
  if (index < 0) return undefined;
  const name = argv[index + 1];
  if (name === undefined || name.startsWith("-")) throw usageError("--profile needs a value");
  return name;
}

/** The format of a command's answer; a variable that says neither is refused, not ignored. */
function answerFormat(
  environment: Environment,
  options: Readonly<Record<string, unknown>>,
): Format {
  if (options["json"] === true) return "json";
  const asked = formats.find((format) => format === options["format"]);
  if (asked !== undefined) return asked;
  const preferred = environment.variables["SVC_FORMAT"] ?? "";
  if (preferred !== "" && preferred !== "text" && preferred !== "json") {
    throw catalogError(
      "E304",
      { details: `SVC_FORMAT "${preferred}"`, validFormats: "text, json" },
      { exitCode: exitCodes.usage },
    );
  }
  return preferred === "json" ? "json" : "text";
}

async function runCommand<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  command: AnyCommand<Context>,
  rest: readonly string[],
): Promise<number> {
  // Help and version get by without the parser and the standard library behind it.
  const { parseInvocation } = await import("./parse.ts");
  const { input, deprecated } = parseInvocation(command, rest);
  output.setFormat(command.formats === false ? "text" : answerFormat(environment, input.options));
  for (const name of deprecated) {
    const option = command.options[name];
    const instead = name === "json" ? "--format json" : option?.deprecated;
    await output.note(`--${name} is deprecated: use ${instead ?? "its new name"}`);
  }
  const profile = input.options["profile"];
  const context = options.createContext(environment, output, {
    profile: typeof profile === "string" ? profile : undefined,
  });
  const code = (await command.run(input, context)) ?? exitCodes.done;
  const isSaid = code === exitCodes.done || output.isJson || command.runsAnother === true;
  if (!isSaid) await noteHelp(output, command.path);
  return code;
}
