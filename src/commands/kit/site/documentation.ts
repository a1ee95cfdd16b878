import type { CommandFacts, OptionDefinitions } from "#cli/command.ts";
import { exitCodesOf, exitCodeWords } from "#cli/exit-codes.ts";
import { allOptions, globalOptions } from "#cli/input/global-options.ts";
import { answerMembers } from "#cli/pages/answer-members.ts";
import type { AnswerSchemas } from "#cli/pages/describe.ts";
import { optionName, optionWords, usageLine } from "#cli/pages/help.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Site } from "#lib/site-page.ts";
import { version } from "#lib/version.ts";
import type { SiteCommand, SiteTerm } from "#site/command-pages.ts";
import type { SiteKeys } from "#site/key-page.ts";
import type { ContextHost } from "../context.ts";
import { guides } from "./guides.ts";
import { searchSource } from "./search-source.ts";

const pages = [
  {
    path: "start-operator",
    title: "Start as an operator",
    summary: "Install, the systemd unit, the first password, a name with TLS, the first workspace.",
    file: "start-operator",
  },
  {
    path: "start-scripts",
    title: "Start as a script author",
    summary: "A key, the rules of output and exit codes, records, uploads, answers.",
    file: "start-scripts",
  },
  {
    path: "start-web",
    title: "Start as a web developer",
    summary: "A platform, a project, the library, sign-in, files, search and chat in a page.",
    file: "start-web",
  },
  {
    path: "operating",
    title: "Operating a platform",
    summary: "Start, secure, back up, restore, upgrade and watch a platform.",
    file: "platform",
  },
  {
    path: "balancer",
    title: "Several platforms and a balancer",
    summary: "HAProxy, nginx and Caddy, restarts without errors, metrics for Prometheus.",
    file: "balancer",
  },
  {
    path: "backups",
    title: "Backups that restore themselves",
    summary: "A schedule, keys, what is checked, the restore, and any moment with pgBackRest.",
    file: "backups",
  },
  {
    path: "moving",
    title: "Move between SQLite and PostgreSQL",
    summary: "When to move a platform, how, what it costs, and the way back.",
    file: "moving",
  },
  {
    path: "versions",
    title: "Versions",
    summary: "Compatible changes, the end of a route, and the data that a version reads.",
    file: "versions",
  },
  {
    path: "security",
    title: "Security",
    summary: "Promises of the platform and the program, and the tests that hold them.",
    file: "security",
  },
  {
    path: "projects",
    title: "Projects",
    summary: "Projects of `svc init`: a web app or a script, its sign-in and its production.",
    file: "projects",
  },
  {
    path: "library",
    title: "Client library",
    summary:
      "Typed records, documents and chat for Node, Bun and browsers. Its examples are tests.",
    file: "library",
  },
  {
    path: "dashboard",
    title: "The dashboard",
    summary: "The terminal's view of a workspace: places, panes, forms and live data.",
    file: "dashboard",
  },
  {
    path: "uploads",
    title: "Uploads and jobs",
    summary: "The form of an upload, its lifecycle, and the states of jobs and stages.",
    file: "uploads",
  },
  {
    path: "webhooks",
    title: "Webhooks",
    summary: "Endpoints that receive changes: events, signatures, retries, replay.",
    file: "webhooks",
  },
  {
    path: "object-types",
    title: "Object Types",
    summary: "Definitions of typed records: properties, links and actions.",
    file: "object-types",
  },
  {
    path: "imports",
    title: "Imports and exports of records",
    summary: "Read records from CSV, XLSX and JSON as offices have them, and write them.",
    file: "imports",
  },
  {
    path: "places",
    title: "Places",
    summary: "Find places by names, addresses, postcodes, coordinates and points.",
    file: "places",
  },
  {
    path: "geometries",
    title: "Geometries and datasets",
    summary: "Points, lines and areas of records, and datasets of features with their imports.",
    file: "geo",
  },
  {
    path: "realtime",
    title: "Follow changes",
    summary: "Streams of a workspace's changes that continue after a break, or say what was lost.",
    file: "realtime",
  },
  {
    path: "verticals",
    title: "Routes of a product",
    summary: "Declare routes with your own names over types, actions and workflows.",
    file: "verticals",
  },
  {
    path: "webhook-sources",
    title: "Calls from other systems",
    summary: "Receive signed calls, and map them to records, actions and documents.",
    file: "webhook-sources",
  },
  {
    path: "alerts",
    title: "Alerts",
    summary: "Rules over changes, deadlines, jobs and quotas, and the alerts that they raise.",
    file: "alerts",
  },
  {
    path: "document-types",
    title: "Document types",
    summary: "Fields of documents and the rules that find them; everything in one file.",
    file: "document-types",
  },
  {
    path: "releases",
    title: "Releases",
    summary: "Make, check, install and update releases, also without a network.",
    file: "releases",
  },
  {
    path: "archive",
    title: "Archives of workspaces",
    summary: "Export, import and comparison of a workspace, and the format of the file.",
    file: "archive",
  },
  {
    path: "file-store",
    title: "The file store",
    summary: "Where the bytes of documents and files are, on disk or in an S3-compatible store.",
    file: "file-store",
  },
] as const;

type DocumentationHost = Pick<ContextHost, "table" | "schemas">;

/** The reference, computed from the contract, the command table and the table of keys. */
export async function documentation(host: DocumentationHost): Promise<Site> {
  const [
    { buildSite },
    { openApi },
    { agentTools },
    { offeredTools },
    table,
    schemasOf,
    keys,
    textOf,
    search,
  ] = await Promise.all([
    import("#site/site.ts"),
    import("#contract/openapi/openapi.ts"),
    import("#mcp/tools.ts"),
    import("#mcp/tool-sets.ts"),
    host.table(),
    host.schemas(),
    siteKeys(),
    guideTexts(),
    searchSource(),
  ]);
  const usual = offeredTools({}).listed;
  return buildSite({
    version,
    openApi: openApi({ version }),
    commands: {
      commands: table.commands.map((command) => siteCommand(command, schemasOf(command.path))),
      globalOptions: optionTerms(globalOptions),
      groups: table.groups
        .filter(({ path }) => !path.includes(" "))
        .map(({ path, summary }) => ({ name: path, words: summary })),
    },
    exitCodes: exitCodeWords,
    keys,
    tools: agentTools.map((tool) => ({
      name: tool.name,
      title: tool.route.summary,
      role: tool.route.access,
      hint: tool.isReadOnly ? "reads" : tool.isDestructive ? "changes or removes" : "adds",
      isUsual: usual.includes(tool),
    })),
    prose: pages.map(({ file, ...page }) => ({ ...page, markdown: textOf(file) })),
    reference: textOf("commands"),
    searchSource: search,
  });
}

function siteCommand(command: CommandFacts, { output, isLines }: AnswerSchemas): SiteCommand {
  return {
    path: command.path,
    summary: command.summary,
    description: command.description,
    usage: usageLine(command),
    arguments: command.arguments.map(({ name, description }) => ({ name, words: description })),
    options: optionTerms({ ...command.options, ...withoutGlobal(allOptions(command)) }),
    exitCodes: exitCodesOf(command).map((code) => ({
      name: String(code),
      words: exitCodeWords[code],
    })),
    answer: { isLines, members: output === undefined ? [] : answerMembers(output) },
    examples: command.examples ?? [],
    routes: command.routes ?? [],
  };
}

function withoutGlobal(options: OptionDefinitions): OptionDefinitions {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(globalOptions, name)),
  );
}

function optionTerms(options: OptionDefinitions): SiteTerm[] {
  return Object.entries(options).map(([name, option]) => ({
    name: optionName(name, option),
    words: optionWords(option),
  }));
}

/** The dashboard's keys, in the order of its help. */
async function siteKeys(): Promise<SiteKeys> {
  const [{ keyTable }, { keyWords, scopes }] = await Promise.all([
    import("#ui/nouns.tsx"),
    import("#ui/kit/keys/keys.ts"),
  ]);
  return Object.entries(scopes).flatMap(([scope, { words }]) => {
    const keys = keyTable
      .filter((entry) => entry.where.some((place) => place === scope))
      .map((entry) => ({ keys: entry.keys.map(keyWords), words: entry.words }));
    return keys.length === 0 ? [] : [{ id: scope, title: words, keys }];
  });
}

/** The texts of docs/, by the name of their file. */
async function guideTexts(): Promise<(name: string) => string> {
  const texts: unknown = JSON.parse(await guides());
  return (name) => {
    const text = isJsonObject(texts) ? ownMember(texts, name) : undefined;
    if (typeof text !== "string") throw new Error(`There is no guide ${name}`);
    return text;
  };
}
