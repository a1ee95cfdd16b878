import type { SiteInput } from "./site-input.ts";
import { markdownLinks } from "./prose-page.ts";

/** The file for language models (llmstxt.org) and the pages in Markdown that it names. */
export function textPages({ prose, commands, reference }: SiteInput): ReadonlyMap<string, string> {
  const pages = new Map<string, string>([["commands.md", reference]]);
  for (const { path, markdown } of prose) pages.set(`${path}.md`, markdownLinks(path, markdown));
  const rows = prose.map(({ path, title, summary }) => `- [${title}](${path}.md): ${summary}`);
  pages.set(
    "llms.txt",
    [
      "# svc",
      "",
      "> Workspaces, typed records, documents and chat: one executable is the client, every " +
        "command, the dashboard and the platform.",
      "",
      "In a shell, `svc --describe --index` lists the commands, `svc COMMAND --describe` describes " +
        "one, and `svc skill` writes a SKILL.md. Over the Model Context Protocol, connect to `/mcp` " +
        "or start `svc mcp`.",
      "",
      "## Guides",
      "",
      ...rows,
      "",
      "## Reference",
      "",
      `- [Commands](commands.md): ${commands.commands.length} commands with options, answers, exit ` +
        "codes and examples",
      "- [OpenAPI](/v4/openapi.json): every route with its role, schemas and errors",
      "",
    ].join("\n"),
  );
  return pages;
}
