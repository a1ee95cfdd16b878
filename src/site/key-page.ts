import { html } from "#lib/text/html.ts";
import { joined, table, type PageFacts } from "./layout.ts";

/** Keys of the dashboard by where they work. */
export type SiteKeys = readonly {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly words: string }[];
}[];

/** The dashboard's keys, from the table that also handles them. */
export function keyPage(places: SiteKeys): PageFacts {
  const views = places.map(({ id, title, keys }) =>
    joined([
      html`<h2 id="${id}">${title}</h2>`,
      table(
        title,
        ["Key", "Does"],
        keys.map((entry) => [
          joined(entry.keys.map((key) => html`<kbd>${key}</kbd> `)),
          html`${entry.words}`,
        ]),
      ),
    ]),
  );
  return {
    path: "keys",
    title: "Dashboard keys",
    section: "Reference",
    summary:
      "Keys of the dashboard, which `svc` opens on a terminal; `?` shows those of the place.",
    content: joined(views),
    outline: places.map(({ id, title }) => ({ id, title })),
    entries: [],
  };
}
