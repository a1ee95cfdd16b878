import { blockText } from "#lib/text/terminal.ts";

/** The length of the complete blocks of a streamed Markdown text: later text can't change them. */
export function settledLength(text: string): number {
  let settled = 0;
  let fenced = false;
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    at += line.length + 1;
    if (!fenced && line.trim() === "" && at <= text.length) settled = at;
  }
  return settled;
}

/** Markdown as lines of at most `width` columns; `colours` adds colour sequences. */
export function markdownLines(text: string, width: number, colours: boolean): string[] {
  if (text.trim() === "" || width <= 0) return [];
  // Removes control sequences of the text before the renderer adds its own.
  const drawn = Bun.markdown.ansi(blockText(text), { columns: width, colors: colours });
  // A table or a long word may still be too wide. Wrapping also closes colours per line.
  const wrapped = Bun.wrapAnsi(drawn.trimEnd(), width, { hard: true, trim: false });
  return wrapped.split("\n");
}
