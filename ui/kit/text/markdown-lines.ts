import { blockText } from "#lib/text/terminal.ts";
import { isFence, tableEnd, tableLines } from "./markdown-table.ts";

/** A piece of Markdown: a table, or what is between two tables. */
interface Piece {
  readonly isTable: boolean;
  readonly lines: readonly string[];
}

/** The tables of a text and what is between them; code in fences has no tables. */
function piecesOf(text: string): Piece[] {
  const lines = text.split("\n");
  const pieces: Piece[] = [];
  let isFenced = false;
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (isFence(lines[at])) isFenced = !isFenced;
    const end = isFenced ? at : tableEnd(lines, at);
    if (end === at) continue;
    pieces.push({ isTable: false, lines: lines.slice(from, at) });
    pieces.push({ isTable: true, lines: lines.slice(at, end) });
    from = end;
    at = end - 1;
  }
  return [...pieces, { isTable: false, lines: lines.slice(from) }];
}

function plainLines(text: string, width: number, colours: boolean): string[] {
  if (text.trim() === "") return [];
  const drawn = Bun.markdown.ansi(text, { columns: width, colors: colours });
  // A long word may still be too wide. Wrapping also closes colours per line.
  const wrapped = Bun.wrapAnsi(drawn.trimEnd(), width, { hard: true, trim: false });
  return wrapped.split("\n");
}

/** Markdown as lines of at most `width` columns; `colours` adds colour sequences. */
export function markdownLines(text: string, width: number, colours: boolean): string[] {
  if (text.trim() === "" || width <= 0) return [];
  // Removes control sequences of the text before the renderer adds its own.
  const drawn = piecesOf(blockText(text)).map(({ isTable, lines }) =>
    isTable ? tableLines(lines, width, colours) : plainLines(lines.join("\n"), width, colours),
  );
  return drawn
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}
