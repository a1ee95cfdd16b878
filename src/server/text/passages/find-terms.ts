import { splitUnspaced, unspacedLetter } from "./unspaced.ts";

/** A word of a text: `stem` is what words are compared by, offsets are UTF-16 code units. */
export type Term = { stem: string; start: number; end: number };

/** Words that say nothing about what a text or a question is about. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again against all also am an and any are aren as at be because been " +
    "before being below between both but by can cannot could couldn d did didn do does doesn " +
    "doing don down during each else ever few for from further get gets give given gives got had " +
    "hadn has hasn have haven having he her here hers herself him himself his how i if in into " +
    "is isn it its itself just know let ll m many may me might mine more most much must my " +
    "myself no nor not now of off on once one only or other our ours ourselves out over own " +
    "please re s said same say says shall she should shouldn show so some such t tell than that " +
    "the their theirs them themselves then there these they this those through to too under " +
    "until up us ve very was wasn way we were weren what whatever when where whether which while " +
    "who whom whose why will with within without won would wouldn yes yet you your yours " +
    "yourself yourselves"
  ).split(" "),
);

/** Letters with their marks: the vowels of many scripts are marks. */
const spaced = `[[\\p{L}\\p{N}]--${unspacedLetter}][[\\p{L}\\p{N}\\p{M}]--${unspacedLetter}]*`;
const word = new RegExp(`${spaced}(?:[\\-'’.\\/]${spaced})*|${unspacedLetter}+`, "gv");
const joint = /[-'’./]/;
const plainWord = new RegExp(spaced, "gv");
const unspaced = new RegExp(`^${unspacedLetter}`, "v");

/** A single one is a particle of Japanese, e.g. の. */
const oneHiragana = /^\p{Script=Hiragana}$/u;

/** True for a word with no meaning of its own. */
export function isStopWord(text: string): boolean {
  return stopWords.has(text) || (text.length === 1 && oneHiragana.test(text));
}

/** A word as it stands in a text; offsets are UTF-16 code units. */
export type Word = { text: string; start: number; end: number; isIdentifier: boolean };

/**
 * All words of a text in order. A reference such as PA-2026-0042 is one word; any other word with a
 * hyphen, a dash or a stroke gives its parts. Text without spaces between its words, as of Japanese
 * or Thai, is taken apart by a dictionary.
 */
export function findWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(word)) {
    const whole = match[0];
    const start = match.index;
    // Most words have nothing in them that could part them.
    const isJoined = joint.test(whole);
    if (isJoined ? isIdentifier(whole) : !unspaced.test(whole)) {
      words.push({ text: whole, start, end: start + whole.length, isIdentifier: isJoined });
      continue;
    }
    for (const part of partsOf(whole)) {
      const from = start + part.start;
      words.push({
        text: part.text,
        start: from,
        end: from + part.text.length,
        isIdentifier: false,
      });
    }
  }
  return words;
}

/** What is joined by hyphens and the like, or written without spaces. */
function partsOf(whole: string): { text: string; start: number }[] {
  if (unspaced.test(whole)) return [...splitUnspaced(whole)];
  return Array.from(whole.matchAll(plainWord), ({ 0: text, index }) => ({ text, start: index }));
}

/** The words of a text that mean something, as {@link findWords} gives them. */
export function findTerms(text: string): Term[] {
  return findWords(text).flatMap((found) => {
    const { start, end } = found;
    const lower = found.text.toLowerCase();
    if (found.isIdentifier) return [{ stem: lower, start, end }];
    return isStopWord(lower) ? [] : [{ stem: stem(lower), start, end }];
  });
}

/** References of at most so many parts are found inside a longer name: PA-2026-0042 has three. */
const referenceParts = 5;

/**
 * What a document's own name tells of it, as stems. A file's name joins words with hyphens and often
 * has a number, and would be a single reference that nobody asks for: here each of its parts counts,
 * and each reference inside it, as in `PA-2026-0042-plans.pdf`.
 */
export function findNameStems(name: string): Set<string> {
  const stems = new Set<string>();
  for (const [joined] of name.toLowerCase().matchAll(word)) {
    const parts = partsOf(joined);
    for (const [at, part] of parts.entries()) {
      if (!isStopWord(part.text)) stems.add(stem(part.text));
      for (const last of parts.slice(at + 1, at + referenceParts)) {
        const run = joined.slice(part.start, last.start + last.text.length);
        if (isIdentifier(run)) stems.add(run);
      }
    }
  }
  return stems;
}

/**
 * True for a reference that names one thing: letters or digits joined by hyphens or strokes, with a
 * digit in it.
 */
export function isIdentifier(text: string): boolean {
  return /[-/]/.test(text) && /\p{L}/u.test(text) && /\p{N}{2,}/u.test(text);
}

/**
 * A light stem: plurals, -ing, -ed and a final e are taken off, so that "parking spaces" meets
 * "parked in a space". Both sides of a comparison go through it, so it need not give words of the
 * language.
 */
export function stem(lower: string): string {
  if (lower.length < 4 || /\p{N}/u.test(lower)) return lower;
  let base = lower;
  if (base.endsWith("ies") && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(?:ss|us|is)$/.test(base)) return base;
  else if (/(?:sh|ch|x|z|ss)es$/.test(base)) base = base.slice(0, -2);
  else if (base.endsWith("s")) base = base.slice(0, -1);
  if (endsAfterVowel(base, "ing") && base.length > 5) base = undouble(base.slice(0, -3));
  else if (endsAfterVowel(base, "ed") && base.length > 4) base = undouble(base.slice(0, -2));
  return base.endsWith("e") && base.length > 4 ? base.slice(0, -1) : base;
}

/** By two looks: a pattern of both would look for the ending from each of a long word's vowels. */
function endsAfterVowel(base: string, ending: string): boolean {
  return base.endsWith(ending) && /[aeiouy]/.test(base.slice(0, -ending.length));
}

/** "planned" and "planning" lose the letter that was doubled, as "plan" has one. */
function undouble(base: string): string {
  return /([bdgmnprt])\1$/.test(base) && base.length > 3 ? base.slice(0, -1) : base;
}
