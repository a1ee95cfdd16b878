import { errorCatalog } from "#contract/errors.ts";
import type { CommandFacts, CommandTable, OptionDefinitions } from "../command.ts";
import { exitCodesOf, exitCodeWords } from "../exit-codes.ts";
import { formatOptionsOf, globalOptions, globalOptionsOf } from "../input/global-options.ts";
import { optionName, optionWords, usageLine } from "./help.ts";

/** Manual pages (section 1) in roff, from the same definitions as the help. */

/** Text as roff prints it: no escapes, no requests, and hyphens that can be copied. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1")
    .replaceAll(/[^\n\x20-\x7e]/gu, (letter) => `\\[u${codePoint(letter)}]`);
}

function codePoint(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Code in backquotes is bold. */
function prose(text: string): string {
  return roff(text).replaceAll(/`([^`]*)`/g, "\\fB$1\\fR");
}

function entries(pairs: readonly (readonly [name: string, words: string])[]): string[] {
  return pairs.flatMap(([name, words]) => [".TP", `\\fB${roff(name)}\\fR`, prose(words)]);
}

function optionEntries(options: OptionDefinitions): string[] {
  return entries(
    Object.entries(options).map(([name, option]) => [
      optionName(name, option),
      optionWords(option),
    ]),
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

function heading(name: string, summary: string, version: string): string[] {
  const title = name.replaceAll(" ", "-").toUpperCase();
  return [
    `.TH ${roff(title)} 1 "" "svc ${roff(version)}" "User Commands"`,
    ".SH NAME",
    `${roff(name.replaceAll(" ", "-"))} \\- ${prose(summary)}`,
  ];
}

/** The file name of a command's page, e.g. `svc-docs-upload.1`. */
export function manName(path: string): string {
  return `${["svc", ...path.split(" ")].filter((word) => word !== "").join("-")}.1`;
}

/** The page of one command. */
function commandManPage(command: CommandFacts, version: string): string {
  const words = command.arguments.map((argument) => [argument.name, argument.description] as const);
  const examples = (command.examples ?? []).flatMap((line) => [".PP", ".nf", roff(line), ".fi"]);
  return page([
    ...heading(`svc ${command.path}`, command.summary, version),
    ...section("SYNOPSIS", [`\\fB${roff(usageLine(command))}\\fR`]),
    ...section("DESCRIPTION", [prose(command.description ?? `${command.summary}.`)]),
    ...section("ARGUMENTS", entries(words)),
    ...section("OPTIONS", [
      ...optionEntries({ ...command.options, ...formatOptionsOf(command) }),
      ...optionEntries(globalOptionsOf(command)),
    ]),
    ...section(
      "EXIT STATUS",
      entries(exitCodesOf(command).map((code) => [String(code), exitCodeWords[code]])),
    ),
    ...section("EXAMPLES", examples),
    ...section("SEE ALSO", [`\\fBsvc\\fR(1)`]),
  ]);
}

/** The page of the program: its commands, global options, exit codes and errors. */
function programManPage(table: CommandTable, version: string): string {
  const commands = table.commands.map(({ path, summary }) => [`svc ${path}`, summary] as const);
  const errors = Object.entries(errorCatalog).map(
    ([code, { message, suggestion }]) => [code, `${message}. ${suggestion}.`] as const,
  );
  return page([
    ...heading("svc", "client, dashboard and embedded platform of the v4 interface", version),
    ...section("SYNOPSIS", ["\\fBsvc\\fR [\\fIcommand\\fR] [\\fIoptions\\fR]"]),
    ...section("DESCRIPTION", [
      "With no command on a terminal, svc opens the dashboard.",
      prose("Each command has its own page, e.g. `svc-docs-upload`(1)."),
    ]),
    ...section("COMMANDS", entries(commands)),
    ...section("GLOBAL OPTIONS", optionEntries(globalOptions)),
    ...section(
      "EXIT STATUS",
      entries(Object.entries(exitCodeWords).map(([code, words]) => [code, words])),
    ),
    ...section("ERRORS", entries(errors)),
  ]);
}

function page(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** All pages by file name. */
export function manPages(table: CommandTable, version: string): Map<string, string> {
  return new Map([
    [manName(""), programManPage(table, version)],
    ...table.commands.map(
      (command) => [manName(command.path), commandManPage(command, version)] as const,
    ),
  ]);
}
