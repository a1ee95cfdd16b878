import { blockText } from "#lib/text/terminal.ts";
import type { Span, StyledLine } from "./styled-lines.ts";
import { brokenLines } from "./text-layout.ts";
import type { Token } from "../theme/skin.ts";

// Zero columns wide. `blockText` removes them from all text, so they only mark pieces.
const pieceStart = "\u2060";
const pieceEnd = "\u2061";

interface QuotedText {
  readonly lines: readonly StyledLine[];
  /** The line on which the quote begins; `undefined` without a quote. */
  readonly quoteLine: number | undefined;
}

/** The place of a quote in a text: its span if that has the quote, else the first match. */
function placeOf(
  text: string,
  quote: string,
  span: { readonly start: number; readonly end: number } | undefined,
): { start: number; end: number } | undefined {
  if (span !== undefined && text.slice(span.start, span.end) === quote) return span;
  const start = quote === "" ? -1 : text.indexOf(quote);
  return start === -1 ? undefined : { start, end: start + quote.length };
}

/** A piece of the text, where it is known to be or as the first match. */
export interface Quoted {
  readonly quote: string;
  readonly span?: { readonly start: number; readonly end: number } | undefined;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly as: Token;
}

/** The quote, and of the others those that overlap nothing before them, in the text's order. */
function placesOf(text: string, quote: Place | undefined, others: readonly Quoted[]): Place[] {
  const places = quote === undefined ? [] : [quote];
  for (const other of others) {
    const place = placeOf(text, other.quote, other.span);
    if (place === undefined || place.start >= place.end) continue;
    if (places.every(({ start, end }) => place.end <= start || place.start >= end)) {
      places.push({ ...place, as: "link" });
    }
  }
  return places.toSorted((one, next) => one.start - next.start);
}

/** A text in lines of at most `width` columns with a quote, and other pieces as links. */
export function quotedLines(
  text: string,
  width: number,
  citation?: Quoted,
  others: readonly Quoted[] = [],
): QuotedText {
  const found = citation === undefined ? undefined : placeOf(text, citation.quote, citation.span);
  const quote = found === undefined ? undefined : { ...found, as: "quote" as const };
  const places = placesOf(text, quote, others);
  let marked = "";
  let read = 0;
  for (const { start, end } of places) {
    const before = blockText(text.slice(read, start));
    marked += before + pieceStart + blockText(text.slice(start, end)) + pieceEnd;
    read = end;
  }
  marked += blockText(text.slice(read));
  let begun = 0;
  let open: Place | undefined;
  let quoteLine: number | undefined;
  const lines = brokenLines(marked, Math.max(1, width)).map((line, index): StyledLine => {
    const spans: Span[] = [];
    for (const part of line.split(/([\u2060\u2061])/)) {
      if (part === pieceStart) {
        open = places[begun];
        begun += 1;
        if (open?.as === "quote") quoteLine = index;
      } else if (part === pieceEnd) open = undefined;
      else if (part !== "") spans.push({ text: part, as: open?.as });
    }
    return spans;
  });
  return { lines, quoteLine };
}
