import { exitCodes, type CatalogError } from "#contract/errors.ts";
import {
  formats,
  type CommandFacts,
  type CommandTable,
  type Format,
  type RunnableCommand,
} from "./command.ts";
import type { SchemasOf } from "./pages/describe.ts";
import type { Environment } from "./environment.ts";
import { missingField, usageError, usageFormatError } from "./errors.ts";
import { asCatalogError, noteHelp, reportFailure } from "./failure.ts";
import { commandsHint, findCommand, unknownCommand, unknownGroupOption } from "./input/find.ts";
import { formatOptions, globalOptions } from "./input/global-options.ts";
import type * as HelpPages from "./pages/help.ts";
import { nearest } from "./input/nearest.ts";
import { Output, OutputClosed } from "./output/output.ts";
import { Shown, shown } from "./shown.ts";

export interface RunOptions<Context> {
  readonly table: CommandTable;
  readonly version: string;
  /** Loads the command with this path of the table. */
  load(path: string): Promise<RunnableCommand<Context>>;
  /** Builds the context of a command; called only when a command runs. */
  createContext(environment: Environment, output: Output, options: GlobalInput): Context;
  /** True if a command sends requests to the platform. */
  sendsRequests?(path: string): Promise<boolean>;
  /** Called with each reported error of a command. It must not throw or take long. */
  noteFailure?(environment: Environment, failure: ReportedFailure): Promise<void>;
  /** Loads the schemas of answers, for `--describe`. */
  loadSchemas(): Promise<SchemasOf>;
  /** Runs `svc` that has no arguments, on a terminal. */
  openDashboard(context: Context): Promise<number>;
}

/** An error that a command has reported. */
export interface ReportedFailure {
  readonly error: CatalogError;
  readonly exitCode: number;
  /** The words of the command; undefined for words that name none. */
  readonly command: string | undefined;
}

/** Values of the global flags that a context needs. */
export interface GlobalInput {
  readonly profile: string | undefined;
  /** True if a token may cross a network without encryption. */
  readonly insecureHttp: boolean;
}

/** The words of this call; the words after `--` belong to another one. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}

/** Returns whether this call has the flag, before parsing: help works with wrong words too. */
function hasFlag(argv: readonly string[], name: string): boolean {
  return ownWords(argv).includes(name);
}

/** The format before parsing, in which usage errors are reported. */
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

/** Runs the call in `environment.argv`. Resolves to the exit code; never rejects. */
export async function runProgram<Context>(
  environment: Environment,
  options: RunOptions<Context>,
): Promise<number> {
  const output = new Output(environment, {
    format: earlyFormat(environment),
    colour: wantsColour(environment),
    simple: hasFlag(environment.argv, "--simple"),
  });
  let path: string | undefined;
  let isSent = false;
  let called: string | undefined;
  const onRequest = (): void => {
    isSent = true;
    environment.onRequest?.();
  };
  try {
    const found = findCommand(options.table, environment.argv);
    path = found.command?.path ?? found.group;
    called = found.command?.path;
    return await dispatch({ ...environment, onRequest }, options, output, found);
  } catch (error) {
    if (error instanceof OutputClosed) {
      // Ctrl-C in a pipeline also ends the reader.
      return environment.signal.aborted ? exitCodes.interrupted : exitCodes.done;
    }
    const failure = asCatalogError(error, environment.signal.aborted);
    if (environment.variables["SVC_DEBUG"] === "1" && failure.cause instanceof Error) {
      const { redact } = await import("#lib/text/redact.ts");
      await output.note(
        Shown.block(redact(`debug: ${failure.cause.name}: ${failure.cause.message}`)),
      );
    }
    const sends = !isSent && called !== undefined && (await options.sendsRequests?.(called));
    const exitCode = sends === true ? exitCodeBeforeRequests(failure) : failure.exitCode;
    await reportFailure(output, failure, path, exitCode);
    await options.noteFailure?.(environment, { error: failure, exitCode, command: path });
    return exitCode;
  } finally {
    await output.progress("");
  }
}

async function dispatch<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  found: ReturnType<typeof findCommand>,
): Promise<number> {
  const { table } = options;
  const { argv } = environment;
  const { command, group, words } = found;
  const width = Math.min(100, output.columns);
  const print = async (page: string): Promise<number> => {
    await output.page(Shown.block(page));
    return exitCodes.done;
  };
  const ownsVersion = command !== undefined && Object.hasOwn(command.options, "version");
  if (hasFlag(argv, "-V") || (hasFlag(argv, "--version") && !ownsVersion)) {
    return print(options.version);
  }
  const asksHelp = hasFlag(argv, "--help") || hasFlag(argv, "-h");
  const asksDescription = hasFlag(argv, "--describe");
  if (command !== undefined) {
    if (asksHelp) return print((await helpPages()).commandHelp(command, width));
    if (!asksDescription) {
      if (found.oldName !== undefined) {
        const [group = ""] = command.path.split(" ");
        await output.note(shown`svc ${found.oldName} is deprecated: use svc ${group}`);
      }
      return runCommand(environment, options, output, command, found.rest);
    }
    return describe(environment, options, output, { command });
  }
  if (words[0] === "help") {
    // `svc help docs upload` and `svc docs help upload` mean the same.
    const about = findCommand(table, [...(group?.split(" ") ?? []), ...words.slice(1)]);
    const { commandHelp, tableHelp } = await helpPages();
    if (about.command !== undefined) return print(commandHelp(about.command, width));
    if (about.words.length > 0) throw unknownCommand(table, about.group, about.words);
    return print(tableHelp(table, about.group, width));
  }
  if (words.length > 0) throw unknownCommand(table, group, words);
  if (asksDescription) return describe(environment, options, output, { group });
  if (asksHelp) return print((await helpPages()).tableHelp(table, group, width));
  if (group === undefined) return openDashboard(environment, options, output, width);
  const unknown = unknownGroupOption(table, group, found.rest);
  if (unknown !== undefined) throw unknownOption(unknown, group);
  return commandMissing(output, table, group, width);
}

/** Most calls need no help, so they do not load its pages. */
async function helpPages(): Promise<typeof HelpPages> {
  return await import("./pages/help.ts");
}

/** `--describe`, of all commands, of a group or of one. */
async function describe<Context>(
  environment: Environment,
  { table, version, loadSchemas }: RunOptions<Context>,
  output: Output,
  what: { readonly group?: string | undefined; readonly command?: CommandFacts },
): Promise<number> {
  const { describeCommand, describeIndex, describeTable, describeTools } =
    await import("./pages/describe.ts");
  const { command, group } = what;
  const { argv } = environment;
  const format = valueOf(argv, "--format") ?? "json";
  if (format !== "json" && format !== "text" && format !== "openai-tools") {
    throw usageFormatError(`--format "${format}"`, "json, openai-tools");
  }
  const given = (name: string): string | undefined =>
    Object.hasOwn(command?.options ?? {}, name) ? undefined : valueOf(argv, `--${name}`);
  await chooseProjection(environment, output, given("jq"), given("template"));
  output.setFormat("json");
  if (format === "openai-tools") {
    await output.data(describeTools(table, command?.path ?? group), () => []);
    return exitCodes.done;
  }
  if (hasFlag(argv, "--index")) {
    await output.rows([describeIndex(table, version, command?.path ?? group)]);
    return exitCodes.done;
  }
  const schemasOf = await loadSchemas();
  const described =
    command === undefined
      ? describeTable(table, version, schemasOf, group)
      : describeCommand(command, schemasOf);
  await output.data(described, () => []);
  return exitCodes.done;
}

/** The value of an option before parsing. */
function valueOf(argv: readonly string[], name: string): string | undefined {
  const words = ownWords(argv);
  const joined = words.find((word) => word.startsWith(`${name}=`));
  const index = words.indexOf(name);
  return joined?.slice(name.length + 1) ?? (index < 0 ? undefined : words[index + 1]);
}

function unknownOption(option: string, group?: string): CatalogError {
  const known = Object.keys({ ...globalOptions, ...formatOptions });
  const near = nearest(option.replace(/^-+/, ""), known);
  const hint = near === undefined ? commandsHint(group) : `Did you mean \`--${near}\`?`;
  return usageError(`unknown option "${option}"`, hint);
}

/** No command is named: text mode prints the help, JSON mode reports an error. */
async function commandMissing(
  output: Output,
  table: CommandTable,
  group: string | undefined,
  width: number,
): Promise<number> {
  if (output.isJson) throw missingField("<command>", commandsHint(group));
  const { tableHelp } = await helpPages();
  await output.note(Shown.block(tableHelp(table, group, width)));
  return exitCodes.usage;
}

async function openDashboard<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  width: number,
): Promise<number> {
  const { argv, stdin, stdout } = environment;
  const unknown = argv.find(
    (word) =>
      word.startsWith("-") &&
      !/^--(profile|no-color|color|simple|insecure-http|accessible)(=|$)/.test(word),
  );
  if (unknown !== undefined) throw unknownOption(unknown);
  if (!stdin.isTerminal || !stdout.isTerminal) {
    return commandMissing(output, options.table, undefined, width);
  }
  const profile = profileFlag(argv);
  const insecureHttp = allowsInsecureHttp(environment);
  const global = { profile, insecureHttp };
  return options.openDashboard(options.createContext(environment, output, global));
}

function allowsInsecureHttp({ argv, variables }: Environment): boolean {
  return hasFlag(argv, "--insecure-http") || variables["SVC_INSECURE_HTTP"] === "1";
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

/** The exit code of a command that has sent nothing: faults of its input are wrong usage. */
function exitCodeBeforeRequests({ code, exitCode, hasDefaultExitCode }: CatalogError): number {
  const isInput = code === "E302" || code === "E304" || code === "E305";
  return isInput && hasDefaultExitCode ? exitCodes.usage : exitCode;
}

/** The format of a command's answer. An unknown value of SVC_FORMAT is an error. */
function answerFormat(
  environment: Environment,
  options: Readonly<Record<string, unknown>>,
): Format {
  if (options["json"] === true) return "json";
  const asked = formats.find((format) => format === options["format"]);
  if (asked !== undefined) return asked;
  const preferred = environment.variables["SVC_FORMAT"] ?? "";
  if (preferred !== "" && preferred !== "text" && preferred !== "json") {
    throw usageFormatError(`SVC_FORMAT "${preferred}"`, "text, json");
  }
  return preferred === "json" ? "json" : "text";
}

/** Sets the format of the answer, and the query or template that it goes through. */
async function chooseFormat(
  environment: Environment,
  output: Output,
  command: CommandFacts,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (command.formats === false) {
    output.setFormat("text");
    return;
  }
  // `svc app create --template` is its own option.
  const given = (name: string): string | undefined => {
    const value = Object.hasOwn(command.options, name) ? undefined : options[name];
    return typeof value === "string" ? value : undefined;
  };
  const [query, template] = [given("jq"), given("template")];
  if (query === undefined && template === undefined) {
    output.setFormat(answerFormat(environment, options), command.rows);
    return;
  }
  const format = options["format"] ?? "json";
  if (format !== "json" && format !== "ndjson") {
    const name = query === undefined ? "--template" : "--jq";
    throw usageError(`${name} and --format ${JSON.stringify(format)} exclude each other`);
  }
  await chooseProjection(environment, output, query, template);
  output.setFormat(format, command.rows);
}

/** Lets the JSON go through `--jq` or `--template`, if either is given. */
async function chooseProjection(
  environment: Environment,
  output: Output,
  query: string | undefined,
  template: string | undefined,
): Promise<void> {
  if (query === undefined && template === undefined) return;
  const { jqProjection, templateProjection } = await import("./output/projection.ts");
  output.project(
    query === undefined
      ? await templateProjection(template ?? "")
      : await jqProjection(query, environment),
  );
}

async function runCommand<Context>(
  environment: Environment,
  options: RunOptions<Context>,
  output: Output,
  facts: CommandFacts,
  rest: readonly string[],
): Promise<number> {
  // Help and version load no parser.
  const [{ parseInvocation }, command] = await Promise.all([
    import("./input/parse.ts"),
    options.load(facts.path),
  ]);
  const { input, deprecated } = parseInvocation(command, rest);
  await chooseFormat(environment, output, command, input.options);
  for (const name of deprecated) {
    const instead = name === "json" ? "--format json" : command.options[name]?.deprecated;
    await output.note(shown`--${name} is deprecated: use ${instead ?? "its new name"}`);
  }
  const profile = input.options["profile"];
  const context = options.createContext(environment, output, {
    profile: typeof profile === "string" ? profile : undefined,
    insecureHttp: allowsInsecureHttp(environment),
  });
  const code = (await command.run(input, context)) ?? exitCodes.done;
  const isExplained = code === exitCodes.done || output.isJson || command.runsAnother === true;
  if (!isExplained) await noteHelp(output, command.path);
  return code;
}
