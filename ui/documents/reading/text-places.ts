import { clipText } from "../../kit/text/text-layout.ts";

/** A page of a document with its number. */
export interface PageOfText {
  readonly page: number;
  readonly text: string;
}

/** A place in the text of a document. */
export interface TextPlace {
  readonly page: number;
  readonly quote: string;
  readonly span: { readonly start: number; readonly end: number };
  /** The place with the words around it, in one line. */
  readonly words: string;
}

/** Places that a search keeps at most. */
export const mostPlaces = 200;
const around = 40;
const longestHeading = 80;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Upper and lower case are equal, and any white space is like a blank. */
function patternOf(wanted: string): RegExp {
  const words = wanted.trim().split(/\s+/);
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(escaped.join(String.raw`\s+`), "giu");
}

/** The places of a text in the pages, in their order; at most 200. */
export function placesOf(pages: readonly PageOfText[], wanted: string): TextPlace[] {
  if (wanted.trim() === "") return [];
  const places: TextPlace[] = [];
  for (const { page, text } of pages) {
    for (const match of text.matchAll(patternOf(wanted))) {
      const [start, end] = [match.index, match.index + match[0].length];
      const before = oneLine(text.slice(Math.max(0, start - around), start)).trimStart();
      const after = oneLine(text.slice(end, end + around)).trimEnd();
      const words = `${before}${oneLine(match[0])}${after}`;
      places.push({ page, quote: match[0], span: { start, end }, words });
      if (places.length >= mostPlaces) return places;
    }
  }
  return places;
}

/** A short line that begins with a section number, or has capitals alone. */
function isHeading(line: string): boolean {
  if (line.length < 3 || line.length > longestHeading || /[.,;:]$/.test(line)) return false;
  if (
    /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.|(?:Chapter|Part|Section|Appendix) \w+)\s+\p{Lu}/u.test(
      line,
    )
  ) {
    return true;
  }
  return /\p{Lu}{3}/u.test(line) && line === line.toUpperCase() && !/\d{4}/.test(line);
}

/** The headings of the pages, as their text looks; at most 200. */
export function headingsOf(pages: readonly PageOfText[]): TextPlace[] {
  const headings: TextPlace[] = [];
  for (const { page, text } of pages) {
    let start = 0;
    for (const line of text.split("\n")) {
      const quote = line.trim();
      const at = start + line.indexOf(quote);
      start += line.length + 1;
      if (!isHeading(quote)) continue;
      const depth = /^\d+(?:\.\d+)*/.exec(quote)?.[0].split(".").length ?? 1;
      const words = `${"  ".repeat(depth - 1)}${clipText(quote, longestHeading)}`;
      headings.push({ page, quote, span: { start: at, end: at + quote.length }, words });
      if (headings.length >= mostPlaces) return headings;
    }
  }
  return headings;
}

/** The first heading of a page, else the last one before it. */
export function headingAt(headings: readonly TextPlace[], page: number): TextPlace | undefined {
  return (
    headings.find((heading) => heading.page === page) ??
    headings.findLast((heading) => heading.page < page)
  );
}
