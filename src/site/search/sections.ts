import type { PageFacts, SearchEntry } from "../layout.ts";
import { plain } from "../prose-page.ts";
import type { Section } from "./find.ts";

const heading = /<h([23])\b[^>]*\bid="([^"]+)"[^>]*>([^]*?)<\/h\1>/g;

/** The sections of a page, cut at its headings; entries name places that have no heading. */
export function sectionsOf({
  path,
  title,
  section,
  summary,
  content,
  entries,
}: PageFacts): Section[] {
  const named = new Map(entries.map((entry) => [entry.path, entry]));
  const html = content.text;
  const found = [...html.matchAll(heading)];
  const starts = found.map(({ index }) => index);
  const first: Section = {
    title,
    path,
    kind: section,
    text: `${summary} ${textOf(html.slice(0, starts[0] ?? html.length))}`,
  };
  const others = found.map(([whole, , id = "", words = ""], index): Section => {
    const place = path === "" ? `#${id}` : `${path}/#${id}`;
    const start = (starts[index] ?? 0) + whole.length;
    const entry = named.get(place);
    named.delete(place);
    return {
      title: entry?.title ?? `${title}: ${textOf(words)}`,
      path: place,
      kind: section,
      text: textOf(html.slice(start, starts[index + 1] ?? html.length)),
    };
  });
  const rest = [...named.values()].map((entry: SearchEntry): Section => {
    return { title: entry.title, path: entry.path, kind: section, text: "" };
  });
  return [first, ...others, ...rest];
}

/** The text of markup, without the forms that try a route. */
function textOf(html: string): string {
  const shown = html
    .replaceAll(/<details class="try"[^]*?<\/details>/g, " ")
    .replaceAll(/<wbr[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ");
  return plain(shown).replaceAll(/\s+/g, " ").trim();
}
