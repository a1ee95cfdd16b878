import * as z from "zod";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { coastLines } from "#lib/map/coast.ts";
import { svgMap, type MapShape } from "#lib/map/svg-map.ts";
import { Html } from "#lib/text/html.ts";
import type { PageFacts } from "./layout.ts";

/** A page written by hand. */
export interface SiteProse {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown of ours: it is not escaped. */
  readonly markdown: string;
}

/** The page with anchors at its headings, and with tables and code that keys can scroll. */
export function prosePage({ path, title, summary, markdown }: SiteProse): PageFacts {
  const used = new Map<string, number>();
  const outline: { id: string; title: string }[] = [];
  const text = Bun.markdown
    .html(markdown)
    // The frame has the title.
    .replace(/<h1[^>]*>[^]*?<\/h1>/, "")
    .replaceAll(/<h([23])[^>]*>([^]*?)<\/h\1>/g, (_whole, level: string, inner: string) => {
      const words = inner.replaceAll(/<[^>]+>/g, "");
      const base = words.toLowerCase().replaceAll(/[^\w]+/g, "-");
      const count = (used.get(base) ?? 0) + 1;
      used.set(base, count);
      const id = count === 1 ? base : `${base}-${count}`;
      if (level === "2") outline.push({ id, title: plain(words) });
      return `<h${level} id="${id}">${inner}</h${level}>`;
    })
    .replaceAll(
      "<table>",
      '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>',
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<th>", '<th scope="col">')
    .replaceAll(
      /<pre><code class="language-geojson">([^]*?)<\/code><\/pre>/g,
      (_whole, code: string) => drawnMap(plain(code)),
    )
    .replaceAll("<pre>", '<pre tabindex="0" role="group" aria-label="Code">')
    .replaceAll(/href="(?:\.\/)?([\w-]+)\.md(#[^"]*)?"/g, (_whole, page: string, place = "") => {
      const target = addresses[page];
      if (target === undefined) throw new Error(`${path}: the site has no page ${page}.md`);
      return `href="../${target}/${place}"`;
    });
  return {
    path,
    title,
    section: "Guides",
    summary,
    content: new Html(text),
    outline,
    entries: outline.map(({ id, title: heading }) => ({
      title: `${title}: ${heading}`,
      path: `${path}/#${id}`,
      kind: "Guide",
    })),
  };
}

/** Markdown whose links name the site's Markdown pages instead of the repository's files. */
export function markdownLinks(path: string, markdown: string): string {
  return markdown.replaceAll(/\]\((?:\.\/)?([\w-]+)\.md(?=[)#])/g, (_whole, page: string) => {
    const target = addresses[page];
    if (target === undefined) throw new Error(`${path}: the site has no page ${page}.md`);
    return `](${target}.md`;
  });
}

/** The places of the repository's files on the site. */
const addresses: Readonly<Record<string, string>> = {
  platform: "operating",
  balancer: "balancer",
  library: "library",
  dashboard: "dashboard",
  security: "security",
  projects: "projects",
  "object-types": "object-types",
  "document-types": "document-types",
  imports: "imports",
  places: "places",
  geo: "geometries",
  realtime: "realtime",
  verticals: "verticals",
  "webhook-sources": "webhook-sources",
  alerts: "alerts",
  archive: "archive",
  "file-store": "file-store",
  backups: "backups",
  moving: "moving",
  versions: "versions",
  releases: "releases",
  commands: "commands",
  "start-operator": "start-operator",
  "start-scripts": "start-scripts",
  "start-web": "start-web",
  uploads: "uploads",
  webhooks: "webhooks",
};

/** The text of markup without its entities. */
export function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

const collection = z.object({
  features: z.array(
    z.object({
      geometry: z.unknown(),
      properties: z.object({ name: z.string(), count: z.number() }),
    }),
  ),
});

/** A FeatureCollection of a guide as a map; its features have a name and a count. */
function drawnMap(text: string): string {
  const { features } = collection.parse(JSON.parse(text));
  const most = Math.max(...features.map(({ properties }) => properties.count));
  const shapes = features.map(({ geometry, properties: { name, count } }): MapShape => {
    const reading = readGeometry(geometry);
    if (reading.faults !== undefined || reading.geometry === null) {
      throw new Error(`The map of a guide has a geometry that is not valid: ${name}`);
    }
    return { geometry: reading.geometry, title: `${name}: ${count}`, weight: count / most };
  });
  const title = features.map(({ properties: { name, count } }) => `${name} ${count}`).join(", ");
  return `<figure>${svgMap({ title, shapes, coast: coastLines(), height: 400 })}</figure>`;
}
