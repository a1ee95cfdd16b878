import { splitSentences } from "../../../text/passages/sentences.ts";

/** Markers after the end of a sentence still belong to it. */
const leadingMarkers = /^(?:\s*\[\d{1,3}(?:\s*,\s*\d{1,3})*\][.,;:]?)+\s*/;

/**
 * Cuts streamed text into sentences with the space after them. The last one may go on, so it is the
 * rest. The pieces and the rest together are the text.
 */
export function cutSentences(text: string): { readonly pieces: string[]; readonly rest: string } {
  const starts = splitSentences(text)
    .map(({ start }) => start + (leadingMarkers.exec(text.slice(start))?.[0].length ?? 0))
    .filter((start) => start < text.length);
  const cuts = [0, ...starts.slice(1)];
  const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
  return { pieces: pieces.filter((piece) => piece !== ""), rest: text.slice(cuts.at(-1)) };
}
