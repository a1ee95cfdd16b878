import type { SearchHighlight } from "#contract/resources/reads/search.ts";
import { cutAt } from "../cut-at-character.ts";
import type { SearchedText } from "./searched-texts.ts";
import type { Term } from "../terms/terms.ts";
import { wordsOfText, type TextWord } from "../terms/text-words.ts";

const highlightsAtMost = 5;
const charactersAtMost = 200;
/** Characters before the first match of a part. */
const leadCharacters = 40;
const leftOut = "…";

/**
 * The parts of the texts that contain terms, those with the most terms first. `termsOf` gives the
 * terms that a word counts for.
 */
export function highlightsOf(
  texts: readonly SearchedText[],
  termsOf: (word: TextWord) => readonly string[],
): SearchHighlight[] {
  const found = texts.flatMap(({ property, text }, order) => {
    const words = wordsOfText(text).flatMap((word) =>
      termsOf(word).map((term) => ({ term, start: word.start, end: word.end })),
    );
    const part = bestPart(text, words);
    return part === undefined ? [] : [{ property, order, ...part }];
  });
  return found
    .toSorted((one, other) => other.worth - one.worth || one.order - other.order)
    .slice(0, highlightsAtMost)
    .map(({ property, text, matches }) => ({ property, text, matches }));
}

interface Part {
  readonly text: string;
  readonly matches: { start: number; end: number }[];
  /** The number of different terms. */
  readonly worth: number;
}

function bestPart(text: string, words: readonly Term[]): Part | undefined {
  if (words.length === 0) return undefined;
  if (text.length <= charactersAtMost) return partOf(text, words, 0, text.length);
  let best: { start: number; end: number; worth: number } | undefined;
  // The part moves over the text; these are its words, from index `from` to before `to`.
  const inside = new Map<string, number>();
  let from = 0;
  let to = 0;
  for (const { start: first } of words) {
    const start = Math.max(0, Math.min(first - leadCharacters, text.length - charactersAtMost));
    const end = start + charactersAtMost;
    for (let next = words[to]; next !== undefined && next.end <= end; next = words[to]) {
      inside.set(next.term, (inside.get(next.term) ?? 0) + 1);
      to += 1;
    }
    for (let next = words[from]; from < to && next !== undefined && next.start < start;) {
      const left = (inside.get(next.term) ?? 0) - 1;
      if (left > 0) inside.set(next.term, left);
      else inside.delete(next.term);
      from += 1;
      next = words[from];
    }
    const worth = inside.size;
    if (best === undefined || worth > best.worth) best = { start, end, worth };
  }
  return best && partOf(text, words, cutAt(text, best.start), cutAt(text, best.end));
}

/** A part of a text that begins and ends between words. */
function partOf(text: string, words: readonly Term[], from: number, to: number): Part {
  const start = from === 0 ? 0 : from + (/^\S*\s+/.exec(text.slice(from, to))?.[0].length ?? 0);
  const rest = text.slice(start, to);
  const end =
    to >= text.length ? text.length : start + (/^[^]*(?=\s)/.exec(rest)?.[0].length ?? rest.length);
  // A single word may be longer than a part.
  const inside = words.filter((word) => word.start >= start && word.end <= end);
  const [first] = words;
  if (inside.length === 0 && first !== undefined) {
    const cut = text.slice(first.start, first.end);
    return { text: cut, matches: [{ start: 0, end: cut.length }], worth: 1 };
  }
  const before = start > 0 ? leftOut : "";
  const after = end < text.length ? leftOut : "";
  const matches: Part["matches"] = [];
  for (const word of inside) {
    const last = matches.at(-1);
    const span = {
      start: word.start - start + before.length,
      end: word.end - start + before.length,
    };
    // A reference matches as a whole and by its parts at the same place.
    if (last === undefined || span.start >= last.end) matches.push(span);
  }
  return {
    text: `${before}${text.slice(start, end)}${after}`,
    matches,
    worth: new Set(inside.map(({ term }) => term)).size,
  };
}
