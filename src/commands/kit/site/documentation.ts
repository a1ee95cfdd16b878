import type { CommandFacts, CommandTable, OptionDefinitions } from "#cli/command.ts";
import { exitCodesOf, exitCodeWords } from "#cli/exit-codes.ts";
import { allOptions, globalOptions } from "#cli/input/global-options.ts";
import { answerMembers } from "#cli/pages/answer-members.ts";
import type { AnswerSchemas } from "#cli/pages/describe.ts";
import { referencePage } from "#cli/pages/reference.ts";
import { optionName, optionWords, usageLine } from "#cli/pages/help.ts";
import type { Site } from "#lib/site-page.ts";
import { version } from "#lib/version.ts";
import type { SiteCommand, SiteTerm } from "#site/command-pages.ts";
import type { SiteKeys } from "#site/key-page.ts";
import type { SiteProse } from "#site/prose-page.ts";
import { schemasIn } from "./schemas.ts";
import { searchSource } from "./search-source.ts";
import balancer from "../../../../docs/balancer.md" with { type: "file" };
import dashboard from "../../../../docs/dashboard.md" with { type: "file" };
import documentTypes from "../../../../docs/document-types.md" with { type: "file" };
import fileStore from "../../../../docs/file-store.md" with { type: "file" };
import library from "../../../../docs/library.md" with { type: "file" };
import verticals from "../../../../docs/verticals.md" with { type: "file" };
import objectTypes from "../../../../docs/object-types.md" with { type: "file" };
import platform from "../../../../docs/platform.md" with { type: "file" };
import projects from "../../../../docs/projects.md" with { type: "file" };
import releases from "../../../../docs/releases.md" with { type: "file" };
import security from "../../../../docs/security.md" with { type: "file" };
import startOperator from "../../../../docs/start-operator.md" with { type: "file" };
import startScripts from "../../../../docs/start-scripts.md" with { type: "file" };
import startWeb from "../../../../docs/start-web.md" with { type: "file" };
import uploads from "../../../../docs/uploads.md" with { type: "file" };

const pages = [
  {
    path: "start-operator",
    title: "Start as an operator",
    summary: "Install, the systemd unit, the first password, a name with TLS, the first workspace.",
    file: startOperator,
  },
  {
    path: "start-scripts",
    title: "Start as a script author",
    summary: "A key, the rules of output and exit codes, records, uploads, answers.",
    file: startScripts,
  },
  {
    path: "start-web",
    title: "Start as a web developer",
    summary: "A platform, a project, the library, sign-in, files, search and chat in a page.",
    file: startWeb,
  },
  {
    path: "operating",
    title: "Operating a platform",
    summary: "Start, secure, back up, restore, upgrade and watch a platform.",
    file: platform,
  },
  {
    path: "balancer",
    title: "Several platforms and a balancer",
    summary: "HAProxy, nginx and Caddy, restarts without errors, metrics for Prometheus.",
    file: balancer,
  },
  {
    path: "security",
    title: "Security",
    summary: "Promises of the platform and the program, and the tests that hold them.",
    file: security,
  },
  {
    path: "projects",
    title: "Projects",
    summary: "What svc init makes: a web app or a script, its sign-in and its production.",
    file: projects,
  },
  {
    path: "library",
    title: "Client library",
    summary:
      "Typed records, documents and chat for Node, Bun and browsers. Its examples are tests.",
    file: library,
  },
  {
    path: "dashboard",
    title: "The dashboard",
    summary: "The terminal's view of a workspace: places, panes, forms and live data.",
    file: dashboard,
  },
  {
    path: "uploads",
    title: "Uploads and jobs",
    summary: "What an upload accepts, its lifecycle, and the states of jobs and stages.",
    file: uploads,
  },
  {
    path: "object-types",
    title: "Object Types",
    summary: "Definitions of typed records: properties, links and actions.",
    file: objectTypes,
  },
  {
    path: "verticals",
    title: "Routes of a product",
    summary: "Declare routes with your own names over types, actions and workflows.",
    file: verticals,
  },
  {
    path: "document-types",
    title: "Document types",
    summary: "Fields of documents and the rules that find them; everything in one file.",
    file: documentTypes,
  },
  {
    path: "releases",
    title: "Releases",
    summary: "Make, check, install and update releases, also without a network.",
    file: releases,
  },
  {
    path: "file-store",
    title: "The file store",
    summary: "Where the bytes of documents and files are, on disk or in an S3-compatible store.",
    file: fileStore,
  },
] as const;

/** The reference, computed from the contract, the command table and the table of keys. */
export async function documentation(table: CommandTable): Promise<Site> {
  const [
    { buildSite },
    { openApi },
    { agentTools },
    { offeredTools },
    { printed },
    keys,
    prose,
    search,
  ] = await Promise.all([
    import("#site/site.ts"),
    import("#contract/openapi/openapi.ts"),
    import("#mcp/tools.ts"),
    import("#mcp/tool-sets.ts"),
    import("../../answers.ts"),
    siteKeys(),
    proseOf(),
    searchSource(),
  ]);
  const usual = offeredTools({}).listed;
  const schemasOf = schemasIn(printed);
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
    prose,
    reference: referencePage(table, schemasOf),
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

/** The pages of docs/ that are written by hand. */
function proseOf(): Promise<SiteProse[]> {
  return Promise.all(
    pages.map(async ({ file, ...page }) => ({ ...page, markdown: await textOf(file) })),
  );
}

/** A test runner gives another string than a path; the file is then in the repository. */
async function textOf(imported: string): Promise<string> {
  const embedded = Bun.file(imported);
  if (await embedded.exists()) return embedded.text();
  const name = imported.slice(imported.lastIndexOf("/") + 1);
  return Bun.file(new URL(`../../../../docs/${name}`, import.meta.url)).text();
}
