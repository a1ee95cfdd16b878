/**
 * `npm run reference`: writes the list of commands, docs/commands.md, and the table of routes in
 * docs/library.md.
 */
import { join } from "node:path";
import { referencePage } from "#cli/pages/reference.ts";
import { routes } from "#contract/index.ts";
import { refreshCommandFiles } from "./build/command-files.ts";
import { repository } from "./build/executable.ts";

await refreshCommandFiles();
const [{ commandTable }, { loadSchemas }] = await Promise.all([
  import("#commands/registry.ts"),
  import("#commands/run.ts"),
]);

const commands = join(repository, "docs", "commands.md");
await Bun.write(commands, referencePage(commandTable, await loadSchemas()));
console.log(`svc: wrote ${commands}`);

const library = join(repository, "docs", "library.md");
const rows = Object.entries(routes).map(
  ([domain, ofDomain]) =>
    `| \`${domain}\` | ${Object.keys(ofDomain)
      .map((name) => `\`${name}\``)
      .join(", ")} |\n`,
);
const page = await Bun.file(library).text();
const table = /(\| domain \| routes \|\n\|---\|---\|\n)(?:\|.*\n)*/;
if (!table.test(page)) throw new Error(`${library} has no table of routes`);
await Bun.write(library, page.replace(table, `$1${rows.join("")}`));
console.log(`svc: wrote ${library}`);
