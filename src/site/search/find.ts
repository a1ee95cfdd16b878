import MiniSearch from "minisearch";

/** A part of a page below one heading. */
export interface Section {
  readonly title: string;
  /** The path from the root of the site, perhaps with a fragment. */
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}

/** A section that matches, with the part of its text around the first match. */
export interface Found extends Omit<Section, "text"> {
  readonly excerpt: string;
  /** The words of the texts that match, in lower case. */
  readonly words: readonly string[];
}

const excerptLength = 160;
/** Guides explain what the references list. */
const weights: Readonly<Record<string, number>> = { Guides: 1.6, Commands: 1.2 };

/** The full text of a site; it runs in the reader's browser. */
export class SiteSearch {
  readonly #index: MiniSearch<Section & { readonly id: number }>;

  constructor(private readonly sections: readonly Section[]) {
    this.#index = new MiniSearch({
      fields: ["title", "path", "text"],
      searchOptions: {
        boost: { title: 3 },
        prefix: (term) => term.length > 2,
        // A wrong letter is forgiven in longer words.
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        boostDocument: (id) => weights[this.sections[Number(id)]?.kind ?? ""] ?? 1,
      },
    });
    this.#index.addAll(sections.map((section, id) => ({ ...section, id })));
  }

  /** Sections with all words of the query, else those with some of them; best first. */
  find(query: string): readonly Found[] {
    const all = this.#index.search(query, { combineWith: "AND" });
    const hits = all.length > 0 ? all : this.#index.search(query);
    return hits.flatMap(({ id, terms }) => {
      const section = this.sections[Number(id)];
      if (section === undefined) return [];
      const { text, ...facts } = section;
      return [{ ...facts, excerpt: excerptOf(text, terms), words: terms }];
    });
  }
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = Math.max(0, first - excerptLength / 3);
  const part = text.slice(start, start + excerptLength);
  return `${start > 0 ? "…" : ""}${part}${start + excerptLength < text.length ? "…" : ""}`;
}
