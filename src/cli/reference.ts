import type { AnyCommand, CommandTable, OptionDefinition } from "./command.ts";
import { formatOptions, globalOptions } from "./global-options.ts";
import { optionName, optionWords, usageLine } from "./help.ts";

function optionTable(options: Readonly<Record<string, OptionDefinition>>): string[] {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      `| \`${optionName(name, option).replaceAll("|", "\\|")}\` | ${optionWords(option).replaceAll("|", "\\|")} |`,
  );
  return rows.length === 0 ? [] : ["", "| option | meaning |", "|---|---|", ...rows];
}

function commandSection<Context>(command: AnyCommand<Context>): string[] {
  const words = command.arguments.map(
    (argument) => `- \`${argument.name}\`: ${argument.description}`,
  );
  const routes = (command.routes ?? []).map((route) => `\`${route}\``);
  return [
    `### svc ${command.path}`,
    "",
    `${command.summary}.`,
    "",
    "```sh",
    usageLine(command),
    "```",
    ...(command.description === undefined ? [] : ["", command.description]),
    ...(words.length === 0 ? [] : ["", ...words]),
    ...optionTable(command.options),
    ...(routes.length === 0 ? [] : ["", `Routes: ${routes.join(", ")}.`]),
    ...(command.examples === undefined ? [] : ["", "```sh", ...command.examples, "```"]),
    "",
  ];
}

/** A line of the list at the top; the anchor is what Markdown makes of the heading. */
function commandRow<Context>({ path, summary }: AnyCommand<Context>): string {
  return `| [\`svc ${path}\`](#svc-${path.replaceAll(" ", "-")}) | ${summary} |`;
}

/** The reference page of all commands, as Markdown: one page, computed from the table. */
export function referencePage<Context>(table: CommandTable<Context>): string {
  const sections = table.commands.flatMap(commandSection);
  return [
    "# Reference of commands",
    "",
    "This page is computed from the command table (`npm run reference`).",
    "",
    "stdout carries data, stderr carries words. With `--format json` stdout holds exactly one JSON",
    "value, on success and on failure; streams are one JSON value a line. Without a terminal nothing",
    "ever asks: it fails at once and names the flag. Unless JSON is asked for, an exit other than 0 says",
    "on stderr where to read on.",
    "",
    "| exit code | meaning |",
    "|---|---|",
    "| 0 | done |",
    "| 1 | a catalog error, or a result that is not success |",
    "| 2 | wrong usage: words that are none, or that something is missing from (E303) |",
    "| 4 | sign-in needed (E101 to E104) |",
    "| 8 | still pending when a wait ended |",
    "| 130 | interrupted; 143 when SIGTERM did it, 129 when SIGHUP did |",
    "",
    "## Global options",
    ...optionTable(globalOptions),
    "",
    "Commands that answer with data also take:",
    ...optionTable(formatOptions),
    "",
    "Commands with `--columns` list rows, and take `--format csv` (RFC 4180, with a header) and",
    "`--format ndjson` (one row a line) as well. In CSV, a text that a spreadsheet would take for a",
    "formula has a `'` before it, and lines end with CR LF: a shell that reads them one by one gets the CR",
    "too, and does better with NDJSON and `jq -r`. With either, an error is words on stderr.",
    "",
    "## Environment",
    "",
    "| variable | meaning |",
    "|---|---|",
    "| `BASE_URL_PUBLIC_API` | address of the platform |",
    "| `SVC_TOKEN` | access token, for scripts |",
    "| `SVC_PROFILE` | profile to use |",
    "| `SVC_APP_KEY`, `SVC_VERTICAL_KEY` | app of standalone workflows |",
    "| `SVC_CONFIG_DIR` | where tokens and profiles are kept |",
    "| `SVC_FORMAT` | `json` makes it the default format |",
    "| `SVC_SKIN` | colours of the dashboard: `terminal`, `dark`, `light` or `mono` |",
    "| `NO_COLOR` | no colour |",
    "| `BROWSER` | program that opens the sign-in page; `none` opens none |",
    "| `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` | proxy to other machines, and the hosts that are asked without it |",
    "| `NODE_EXTRA_CA_CERTS` | file of certificates (PEM) to trust as well, such as a company's own issuer |",
    "| `SVC_DEBUG` | `1` adds what is known about an unforeseen error, without secrets |",
    "",
    "A flag goes before the environment, then the project's `.env.local`, the profile, the default.",
    "`svc whoami --format json` names where each value came from.",
    "",
    "## Commands",
    "",
    "| command | |",
    "|---|---|",
    ...table.commands.map(commandRow),
    "",
    ...sections,
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}
