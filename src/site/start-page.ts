import { html, type Html } from "#lib/text/html.ts";
import { code, joined, type PageFacts } from "./layout.ts";
import type { SiteInput } from "./site-input.ts";

const first = `svc demo                       # a platform with sample data, and its dashboard
svc serve --data-dir ./data    # your own platform
svc login                      # sign in, in another terminal
svc workspace list --all
svc docs upload plans.pdf --planning-application-id <id> --wait
svc chat stream "When must the wall be lowered?" --workflow planning-assistant`;

/** The first page, with the way to each part. */
export function startPage({
  commands,
  openApi,
  keys,
  prose,
}: Pick<SiteInput, "commands" | "openApi" | "keys" | "prose">): PageFacts {
  const routes = Object.values(openApi["paths"] ?? {}).reduce<number>(
    (count, methods) => count + Object.keys(methods as object).length,
    0,
  );
  const keyCount = keys.reduce((count, place) => count + place.keys.length, 0);
  const starts = prose.filter(({ path }) => path.startsWith("start-"));
  const cards = [
    ["api/resources/", "API", `${routes} routes with their roles, schemas and a form to try each`],
    [
      "commands/",
      "Commands",
      `${commands.commands.length} commands with options, exit codes and examples`,
    ],
    ["library/", "Client library", "Typed records, documents and chat for Node, Bun and browsers"],
    ["operating/", "Operating", "Run, back up, restore and upgrade a platform"],
    ["agents/", "Agents", "Tools and resources over the Model Context Protocol"],
    ["errors/", "Errors", "Every code with its cause and the next step"],
    ["keys/", "Dashboard keys", `${keyCount} keys, by the place where they work`],
    ...prose
      .filter((page) => !carded.has(page.path) && !starts.includes(page))
      .map(({ path, title, summary }) => [`${path}/`, title, summary]),
  ];
  return {
    path: "",
    title: "Documentation",
    section: "Guides",
    summary:
      "Workspaces, typed records, documents and chat: one executable is the client, every command, the dashboard and the platform.",
    content: joined([
      cardList(starts.map(({ path, title, summary }) => [`${path}/`, title, summary])),
      html`<h2 id="first-steps">First steps</h2>`,
      code(first, "First steps"),
      html`<h2 id="all">Everything</h2>`,
      cardList(cards),
    ]),
    outline: [],
    entries: [],
  };
}

/** Pages with a card of other words. */
const carded = new Set(["library", "operating"]);

function cardList(cards: readonly (readonly string[])[]): Html {
  const items = cards.map(
    ([address = "", title = "", words = ""]) =>
      html`<li>
        <a href="${address}"><strong>${title}</strong><span>${words}</span></a>
      </li>`,
  );
  return html`<ul class="cards">
    ${joined(items)}
  </ul>`;
}
