import type { AnyCommand, CommandTable, OptionDefinition } from "#cli/command.ts";
import { exitCodesOf, exitCodeWords } from "#cli/exit-codes.ts";
import { allOptions, globalOptions } from "#cli/global-options.ts";
import { optionName, optionWords, usageLine } from "#cli/help.ts";
import type { Site } from "#lib/site-page.ts";
import { version } from "#lib/version.ts";
import type { SiteCommand, SiteTerm } from "#site/command-pages.ts";
import type { SiteKeys } from "#site/key-page.ts";
import { proseOf } from "./prose.ts";

/** The reference, computed from the contract, the command table and the table of keys. */
export async function documentation<Context>(table: CommandTable<Context>): Promise<Site> {
  const [{ buildSite }, { openApi }, { agentTools }, keys, prose] = await Promise.all([
    import("#site/site.ts"),
    import("#contract/openapi.ts"),
    import("#mcp/tools.ts"),
    siteKeys(),
    proseOf(),
  ]);
  return buildSite({
    version,
    openApi: openApi({ version }),
    commands: {
      commands: table.commands.map(siteCommand),
      globalOptions: optionTerms(globalOptions),
      groups: table.groups
        .filter(({ path }) => !path.includes(" "))
        .map(({ path, summary }) => ({ name: path, words: summary })),
    },
    exitCodes: exitCodeWords,
    keys,
    tools: agentTools.map(({ name, route, isReadOnly, isDestructive }) => ({
      name,
      title: route.summary,
      role: route.access,
      hint: isReadOnly ? "reads" : isDestructive ? "changes or removes" : "adds",
    })),
    prose,
  });
}

function siteCommand<Context>(command: AnyCommand<Context>): SiteCommand {
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
    examples: command.examples ?? [],
    routes: command.routes ?? [],
  };
}

function withoutGlobal(
  options: Readonly<Record<string, OptionDefinition>>,
): Readonly<Record<string, OptionDefinition>> {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(globalOptions, name)),
  );
}

function optionTerms(options: Readonly<Record<string, OptionDefinition>>): SiteTerm[] {
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
