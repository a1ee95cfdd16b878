import type { Citation, PassageResult, SearchHighlight, SearchResult } from "#client/index.ts";
import { given } from "#lib/given.ts";
import { cellText } from "#lib/text/terminal.ts";
import type { Span } from "../kit/text/styled-lines.ts";
import { clipText, ending, textWidth } from "../kit/text/text-layout.ts";
import { readableWords } from "../kit/text/words.ts";

/** A score in few columns; `–` for a list without the record. */
export function scoreWords(score: number | null | undefined): string {
  if (score === null || score === undefined || !Number.isFinite(score)) return "–";
  return Math.abs(score) >= 100 ? score.toFixed(0) : score.toFixed(score >= 10 ? 1 : 3);
}

/** A passage drawn as a record: the name of its document, and its text with the matches. */
export function passageAsResult(passage: PassageResult): SearchResult {
  const { documentId, documentNumber, filename, page, span, text, matches = [] } = passage;
  const { score, scores } = passage;
  const place = page === undefined ? "" : `, page ${page}`;
  return {
    type: "document",
    id: `${documentId} ${page ?? 0} ${span?.start ?? 0}`,
    score,
    ...given({ scores }),
    highlights: [{ property: documentNumber ?? "", text, matches }],
    data: { name: `${filename ?? documentNumber ?? documentId}${place}` },
  };
}

/** The place of a passage, at which the document's text opens. */
export function citationOf({ documentId, page, span, text }: PassageResult): Citation {
  return {
    id: "search",
    documentId,
    quote: text,
    ...given({ page, span }),
  };
}

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The text in pieces. Control characters are removed afterwards, since offsets count them. */
function piecesOf({ text, matches }: SearchHighlight): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    pieces.push({ text: text.slice(at, start), isMatch: false });
    pieces.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  pieces.push({ text: text.slice(at), isMatch: false });
  return pieces
    .map(({ text: part, isMatch }) => ({ text: cellText(part), isMatch }))
    .filter(({ text: part }) => part !== "");
}

/** The last columns of a text, with `…` for the text before them. */
function lastOf(text: string, width: number): string {
  return textWidth(text) <= width ? text : `…${ending(text, Math.max(0, width - 1))}`;
}

/** One line of at most `width` columns that shows the first match. */
export function highlightSpans(highlight: SearchHighlight, width: number): Span[] {
  const name = `${clipText(highlight.property, Math.floor(width / 3))}  `;
  const spans: Span[] = [{ text: name, as: "quiet" }];
  let room = width - textWidth(name);
  for (const [index, { text, isMatch }] of piecesOf(highlight).entries()) {
    if (room <= 0) break;
    const isLead = index === 0 && !isMatch;
    const part = isLead ? lastOf(text, Math.floor(room / 2)) : clipText(text, room);
    // Clipping removes a blank at the end of the cut text.
    const shown = !isLead && textWidth(text) <= room ? text : part;
    spans.push({ text: shown, as: isMatch ? "quote" : "text" });
    room -= textWidth(shown);
  }
  return spans;
}

export function contentSpans({ data }: SearchResult, width: number): Span[] {
  const words = Object.entries(data).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${readableWords(value)}`],
  );
  return [{ text: clipText(words.join("  "), width), as: "quiet" }];
}
