import { charactersLookedAt } from "../../text/analysis/analyze-fields.ts";
import type { Reader } from "../../database/database.ts";
import type { DocumentKey } from "./store/document-row.ts";
import { pagesWithTables, type PageWithTables } from "./store/page-texts.ts";

const pagesAtATime = 20;

/** The pages at the start of a document in which fields are looked for. */
export async function firstPages(reader: Reader, document: DocumentKey): Promise<PageWithTables[]> {
  const pages: PageWithTables[] = [];
  let characters = 0;
  for (;;) {
    const last = pages.at(-1)?.number ?? 0;
    const next = await pagesWithTables(reader, document, last, pagesAtATime);
    pages.push(...next);
    characters += next.reduce((sum, page) => sum + page.text.length, 0);
    if (next.length < pagesAtATime || characters >= charactersLookedAt) return pages;
  }
}
