import { blockText } from "#lib/terminal-text.ts";

/** Ends of blocks that can be drawn on their own: a blank line outside a fenced block. */
function blockEnds(text: string): number[] {
  const ends: number[] = [];
  let fenced = false;
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    at += line.length + 1;
    if (!fenced && line.trim() === "" && at <= text.length) ends.push(at);
  }
  return ends;
}

/**
 * How much of a growing Markdown text is settled: what comes later can't change how it looks. The
 * rest is the live tail.
 */
export function settledLength(text: string): number {
  return blockEnds(text).at(-1) ?? 0;
}

/** Markdown as lines of at most `width` columns, coloured by our own sequences or not at all. */
export function markdownLines(text: string, width: number, colours: boolean): string[] {
  if (text.trim() === "" || width <= 0) return [];
  // Control sequences go before: the renderer must only ever see text.
  const drawn = Bun.markdown.ansi(blockText(text), { columns: width, colors: colours });
  // A table or a long word may still be wider than asked; wrapping also closes colours per line.
  const wrapped = Bun.wrapAnsi(drawn.trimEnd(), width, { hard: true, trim: false });
  return wrapped.split("\n");
}
