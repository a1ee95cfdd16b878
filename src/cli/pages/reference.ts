import type { CommandFacts, CommandTable, OptionDefinitions } from "../command.ts";
import { formatOptions, globalOptions } from "../input/global-options.ts";
import { answerMembers } from "./answer-members.ts";
import type { AnswerSchemas, SchemasOf } from "./describe.ts";
import { optionName, optionWords, usageLine } from "./help.ts";

function optionTable(options: OptionDefinitions): string[] {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      `| \`${optionName(name, option).replaceAll("|", "\\|")}\` | ` +
      `${optionWords(option).replaceAll("|", "\\|")} |`,
  );
  return rows.length === 0 ? [] : ["", "| option | meaning |", "|---|---|", ...rows];
}

function answerTable({ output, isLines }: AnswerSchemas): string[] {
  const { description } = output ?? {};
  const members = output === undefined ? [] : answerMembers(output);
  if (members.length === 0) {
    // A command that refuses every call has no answer.
    if (output === undefined || output["not"] !== undefined) return [];
    const words = typeof description === "string" ? description : "any value";
    return ["", `The answer is JSON: ${words}.`];
  }
  const rows = members.map(
    ({ name, type, words }) => `| \`${name}\` | ${cell(type)} | ${cell(words)} |`,
  );
  const title = isLines ? "Members of each line" : "Members of the answer";
  return [
    "",
    `${title} with \`--format json\`:`,
    "",
    "| member | type | meaning |",
    "|---|---|---|",
    ...rows,
  ];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function commandSection(command: CommandFacts, schemasOf: SchemasOf): string[] {
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
    ...answerTable(schemasOf(command.path)),
    ...(routes.length === 0 ? [] : ["", `Routes: ${routes.join(", ")}.`]),
    ...(command.examples === undefined ? [] : ["", "```sh", ...command.examples, "```"]),
    "",
  ];
}

/** A line of the list of commands; the anchor is the one that Markdown makes of the heading. */
function commandRow({ path, summary }: CommandFacts): string {
  return `| [\`svc ${path}\`](#svc-${path.replaceAll(" ", "-")}) | ${summary} |`;
}

/** The part about environment variables, and the order in which values are taken. */
const environmentSection: readonly string[] = [
  "## Environment",
  "",
  "| variable | meaning |",
  "|---|---|",
  "| `BASE_URL_PUBLIC_API` | address of the platform |",
  "| `SVC_AUTH_URL` | OpenID provider of the platform (default: the one that it names) |",
  "| `SVC_TOKEN` | access token, for scripts |",
  "| `SVC_WEBSITE_URL` | support website, if it is not the platform |",
  "| `SVC_PROFILE` | profile to use |",
  "| `SVC_APP_KEY`, `SVC_VERTICAL_KEY` | app of standalone workflows |",
  "| `SVC_CONFIG_DIR` | folder of tokens and profiles |",
  "| `SVC_FORMAT` | `json` makes JSON the default format |",
  "| `SVC_SKIN` | colours of the dashboard: `terminal`, `dark`, `light`, `contrast`, `mono` or the name of a theme |",
  "| `NO_COLOR` | no colour |",
  "| `BROWSER` | program that opens the sign-in page; `none` opens none |",
  "| `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` | proxy to other machines, and the hosts that " +
    "need no proxy |",
  "| `NODE_EXTRA_CA_CERTS` | file of additional trusted certificates (PEM), e.g. a company's " +
    "own issuer |",
  "| `SVC_DEBUG` | `1` adds details of an unexpected error, without secrets |",
  "",
  "A flag overrides the environment, then come the project's `.env.local`, the profile and the",
  "default. `svc whoami --format json` shows the source of each value.",
  "",
];

/** docs/commands.md: every command with its words, options, answer and routes. */
export function referencePage(table: CommandTable, schemasOf: SchemasOf): string {
  const sections = table.commands.flatMap((command) => commandSection(command, schemasOf));
  return [
    "# Reference of commands",
    "",
    "This page is generated from the command table (`npm run reference`).",
    "",
    "Data go to stdout, messages go to stderr. With `--format json` stdout has exactly one JSON",
    "value, on success and on failure; streams have one JSON value per line. Without a terminal no",
    "command asks a question: it fails at once and names the flag to use. In text mode, stderr " +
      "names",
    "the help page after an exit code other than 0.",
    "",
    "| exit code | meaning |",
    "|---|---|",
    "| 0 | done |",
    "| 1 | a catalog error, or a result that is not a success |",
    "| 2 | wrong usage: unknown words, or a required value is missing (E303) |",
    "| 4 | sign-in needed (E101 to E104) |",
    "| 8 | still pending when the wait ended |",
    "| 130 | interrupted by SIGINT, SIGTERM or SIGHUP |",
    "",
    "## Global options",
    ...optionTable(globalOptions),
    "",
    "Commands that print data also accept:",
    ...optionTable(formatOptions),
    "",
    "`--jq` needs no jq program: strings are printed without quotes, other values as compact JSON.",
    "`--template` is Liquid over the members of the answer, e.g.",
    "`{% for item in items %}{{ item.id }}\\n{% endfor %}`; `it` is the answer itself. A member that " +
      "is",
    'not there is an error; write `{{ item.note | default: "" }}` or `{% if item.note %}` for one ' +
      "that",
    "may be absent. With both, errors are text on stderr. Commands that answer with many rows take `--format ndjson`: one row per " +
      "line.",
    "",
    "Commands with `--columns` list rows. They also accept `--format csv` (RFC 4180, with a " +
      "header)",
    "and `--format ndjson` (one row per line). In CSV, a text that a spreadsheet would read as a",
    "formula gets a leading `'`. CSV lines end with CR LF, so a shell script reads NDJSON with " +
      "`jq -r`",
    "more easily. With both formats, errors are text on stderr.",
    "",
    ...environmentSection,
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
