import { html, noHtml, type Html } from "#lib/text/html.ts";
import { code, joined, table, withCode, type PageFacts } from "./layout.ts";

/** An argument, an option or an exit code with its meaning. */
export interface SiteTerm {
  readonly name: string;
  readonly words: string;
}

export interface SiteMember extends SiteTerm {
  readonly type: string;
}

export interface SiteCommand {
  /** Path of the command, without `svc`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly usage: string;
  readonly arguments: readonly SiteTerm[];
  readonly options: readonly SiteTerm[];
  readonly exitCodes: readonly SiteTerm[];
  /** Members of the JSON answer, or of each of its lines. */
  readonly answer: { readonly isLines: boolean; readonly members: readonly SiteMember[] };
  readonly examples: readonly string[];
  readonly routes: readonly string[];
}

export interface SiteCommands {
  readonly commands: readonly SiteCommand[];
  readonly globalOptions: readonly SiteTerm[];
  /** First words that group commands, with their summaries. */
  readonly groups: readonly SiteTerm[];
}

/** A page for each group of commands; commands without a group share the first one. */
export function commandPages({ commands, globalOptions, groups }: SiteCommands): PageFacts[] {
  const wordOf = ({ path }: SiteCommand): string => path.split(" ")[0] ?? path;
  const grouped = new Set(groups.map(({ name }) => name));
  const single = commands.filter((command) => !grouped.has(wordOf(command)));
  const first = page("commands", "All commands", {
    summary: "Commands for people and scripts; data go to stdout and messages to stderr.",
    before: joined([
      html`<h2 id="global-options">Global options</h2>`,
      termTable("Global options", "Option", globalOptions),
      html`<h2 id="list">Every command</h2>`,
      table(
        "Every command",
        ["Command", "Does"],
        commands.map((command) => [
          html`<a href="${addressOf(command, grouped)}"><code>svc ${command.path}</code></a>`,
          html`${command.summary}`,
        ]),
      ),
    ]),
    commands: single,
  });
  const others = groups.flatMap(({ name, words }) => {
    const own = commands.filter((command) => wordOf(command) === name);
    return own.length === 0
      ? []
      : [
          page(`commands/${name}`, `svc ${name}`, {
            summary: `${words}.`,
            before: noHtml,
            commands: own,
          }),
        ];
  });
  return [first, ...others];
}

function idOf({ path }: SiteCommand): string {
  return `svc-${path.replaceAll(" ", "-")}`;
}

/** The address of a command, relative to the page of all commands. */
function addressOf(command: SiteCommand, grouped: ReadonlySet<string>): string {
  const word = command.path.split(" ")[0] ?? "";
  return `${grouped.has(word) ? `${word}/` : ""}#${idOf(command)}`;
}

function page(
  path: string,
  title: string,
  parts: {
    readonly summary: string;
    readonly before: Html;
    readonly commands: readonly SiteCommand[];
  },
): PageFacts {
  const { summary, before, commands } = parts;
  return {
    path,
    title,
    section: "Commands",
    summary,
    content: joined([before, ...commands.map(commandView)]),
    outline: commands.map((command) => ({ id: idOf(command), title: `svc ${command.path}` })),
    entries: commands.map((command) => ({
      title: `svc ${command.path}: ${command.summary}`,
      path: `${path}/#${idOf(command)}`,
      kind: "Command",
    })),
  };
}

function commandView(command: SiteCommand): Html {
  const { path, summary, description, usage, examples, routes } = command;
  const id = idOf(command);
  return html`<section class="operation" aria-labelledby="${id}">
    <h2 id="${id}">svc ${path}</h2>
    <p>${withCode(summary)}.</p>
    ${description === undefined ? noHtml : html`<p>${withCode(description)}</p>`}
    ${code(usage, `Usage of svc ${path}`)}
    ${named("Arguments", termTable(`Arguments of svc ${path}`, "Argument", command.arguments))}
    ${named("Options", termTable(`Options of svc ${path}`, "Option", command.options))}
    ${answerView(command)}
    ${named("Exit codes", termTable(`Exit codes of svc ${path}`, "Code", command.exitCodes))}
    ${
      examples.length === 0
        ? noHtml
        : html`<h3>Examples</h3>
            ${code(examples.join("\n"), `Examples of svc ${path}`)}`
    }
    ${routes.length === 0 ? noHtml : html`<p class="routes">Calls ${joined(routes.map((route) => html`<code>${route}</code>`))}</p>`}
  </section>`;
}

function answerView({ path, answer }: SiteCommand): Html {
  const rows = answer.members.map(({ name, type, words }) => [
    html`<code>${name}</code>`,
    html`${type}`,
    withCode(words),
  ]);
  const label = `Answer of svc ${path}`;
  const title = answer.isLines ? "Each line of the answer" : "Answer";
  return named(title, table(label, ["Member", "Type", "Meaning"], rows));
}

function named(title: string, content: Html): Html {
  return content === noHtml
    ? noHtml
    : html`<h3>${title}</h3>
        ${content}`;
}

/** A table of terms with their meanings. */
function termTable(label: string, head: string, terms: readonly SiteTerm[]): Html {
  return table(
    label,
    [head, "Meaning"],
    terms.map(({ name, words }) => [html`<code>${name}</code>`, withCode(words)]),
  );
}
