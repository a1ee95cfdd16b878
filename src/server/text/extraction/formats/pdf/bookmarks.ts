import type { getDocument } from "pdfjs-dist";

type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;
type Bookmark = NonNullable<Awaited<ReturnType<PdfDocument["getOutline"]>>>[number];

const bookmarksAtMost = 2_000;
const titleCharacters = 500;

/**
 * The titles of a document's bookmarks (ISO 32000-1, 12.3.3), by the number of the page to which
 * they lead. One that leads to no page belongs to the first.
 */
export async function readBookmarks(document: PdfDocument): Promise<ReadonlyMap<number, string[]>> {
  const titles = new Map<number, string[]>();
  const waiting: Bookmark[] = ((await document.getOutline()) ?? []).slice(0, bookmarksAtMost);
  for (let index = 0; index < waiting.length; index += 1) {
    const bookmark = waiting[index];
    if (bookmark === undefined) break;
    waiting.push(...bookmark.items.slice(0, Math.max(0, bookmarksAtMost - waiting.length)));
    const title = bookmark.title.replace(/\s+/g, " ").trim().slice(0, titleCharacters);
    if (title === "") continue;
    const page = await pageOf(document, bookmark).catch(() => 1);
    titles.set(page, [...(titles.get(page) ?? []), title]);
  }
  return titles;
}

async function pageOf(document: PdfDocument, { dest }: Bookmark): Promise<number> {
  const place: unknown = typeof dest === "string" ? await document.getDestination(dest) : dest;
  const target: unknown = Array.isArray(place) ? place[0] : undefined;
  if (typeof target === "number") return target + 1;
  if (typeof target !== "object" || target === null) return 1;
  return 1 + (await document.getPageIndex(target as Parameters<typeof document.getPageIndex>[0]));
}

/** The titles that the text of their page does not have, whatever stands between their letters. */
export function missingTitles(titles: readonly string[], text: string): readonly string[] {
  if (titles.length === 0) return titles;
  const written = lettersOf(text);
  return titles.filter((title) => !written.includes(lettersOf(title)));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
