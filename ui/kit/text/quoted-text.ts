import { blockText } from "#lib/terminal-text.ts";
import type { Span, StyledLine } from "./styled-lines.ts";
import { brokenLines } from "./text-layout.ts";

// Zero columns wide, and taken out of every text from outside: they can't occur in it by themselves.
const quoteStart = "\u2060";
const quoteEnd = "\u2061";

export interface QuotedText {
  readonly lines: readonly StyledLine[];
  /** The line on which the quote begins; `undefined` when there is none. */
  readonly quoteLine: number | undefined;
}

/** Where a quote stands in a text: by its span when that holds the quote, else by looking for it. */
function placeOf(
  text: string,
  quote: string,
  span: { readonly start: number; readonly end: number } | undefined,
): { start: number; end: number } | undefined {
  if (span !== undefined && text.slice(span.start, span.end) === quote) return span;
  const found = quote === "" ? -1 : text.indexOf(quote);
  return found === -1 ? undefined : { start: found, end: found + quote.length };
}

/** A page's text in lines of at most `width` columns, with the quote marked in it. */
export function quotedLines(
  text: string,
  width: number,
  citation?: {
    readonly quote: string;
    readonly span?: { readonly start: number; readonly end: number } | undefined;
  },
): QuotedText {
  const place = citation === undefined ? undefined : placeOf(text, citation.quote, citation.span);
  const marked =
    place === undefined
      ? blockText(text)
      : blockText(text.slice(0, place.start)) +
        quoteStart +
        blockText(text.slice(place.start, place.end)) +
        quoteEnd +
        blockText(text.slice(place.end));
  let inQuote = false;
  let quoteLine: number | undefined;
  const lines = brokenLines(marked, Math.max(1, width)).map((line, index): StyledLine => {
    const spans: Span[] = [];
    for (const part of line.split(/([\u2060\u2061])/)) {
      if (part === quoteStart) {
        inQuote = true;
        quoteLine = index;
      } else if (part === quoteEnd) inQuote = false;
      else if (part !== "") spans.push({ text: part, as: inQuote ? "quote" : undefined });
    }
    return spans;
  });
  return { lines, quoteLine };
}
