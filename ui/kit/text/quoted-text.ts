import { blockText } from "#lib/terminal-text.ts";
import type { Span, StyledLine } from "./styled-lines.ts";
import { brokenLines } from "./text-layout.ts";

// Zero columns wide. `blockText` removes them from all text, so they only mark the quote.
const quoteStart = "\u2060";
const quoteEnd = "\u2061";

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
