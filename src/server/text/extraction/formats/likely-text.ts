/** How text looks in a charset, by its characters above ASCII. */
export interface Likeliness {
  /** Share of characters in places that no language has for them, e.g. a sign within a word. */
  readonly misplaced: number;
  /** Share of letters within words, and of lines of a frame, less three times the misplaced. */
  readonly worth: number;
  /** Characters from the start that were judged. */
  readonly judged: number;
}

/** A long text shows its charset early. */
const charactersAtMost = 4_000;

/**
 * Judges a decoded text: a wrong charset puts signs within words (`caf‚`), small words before
 * numbers (`œ120`), capitals after small letters and two scripts into one word.
 */
export function likelinessOf(text: string): Likeliness {
  let count = 0;
  let good = 0;
  let misplaced = 0;
  let judged = text.length;
  for (const { index } of text.matchAll(/[^\x00-\x7f]/g)) {
    const verdict = verdictOn(text[index - 1] ?? "\n", text[index] ?? "", text[index + 1] ?? "\n");
    if (verdict > 0) good += 1;
    if (verdict < 0) misplaced += 1;
    count += 1;
    if (count === charactersAtMost) {
      judged = index + 1;
      break;
    }
  }
  const all = Math.max(1, count);
  return { misplaced: misplaced / all, worth: (good - 3 * misplaced) / all, judged };
}

const letter = /[\p{L}\p{M}]/u;
const latin = /\p{Script=Latin}/u;
const high = /[^\x00-\x7f]/;
const frame = /[\u2500-\u259f]/;
/** Signs that stand after a word or in one. */
const wordSigns = /[’·®™µªº¹²³×«»\u00ad\u00a0\u2010\u2011]/;
const closers = /[\p{Pf}\p{Pe}…“”‘†‡]/u;

/** 1 for a letter of a word or a line of a frame, -1 for a misplaced character, otherwise 0. */
function verdictOn(before: string, sign: string, after: string): number {
  const isAfterLetter = letter.test(before);
  const isBeforeLetter = letter.test(after);
  // Control characters, which charsets of Windows have in the place of unused bytes.
  if (/[\x80-\x9fƒ]/.test(sign)) return -1;
  if (frame.test(sign)) return isAfterLetter && isBeforeLetter ? -1 : 1;
  if (letter.test(sign) && !wordSigns.test(sign)) {
    if (before === sign && after === sign) return -1;
    if (isAfterLetter || isBeforeLetter) return isOfWord(before, sign, after) ? 1 : -1;
    return /\d/.test(after) ? -1 : 0;
  }
  const isAmongSigns = [before, after].every(
    (next) => high.test(next) && !letter.test(next) && next !== sign,
  );
  if (isAmongSigns) return -1;
  if (wordSigns.test(sign)) return 0;
  if (/[–—]/.test(sign)) return isAfterLetter && /\s/.test(after) ? -1 : 0;
  if (isAfterLetter && isBeforeLetter) return -1;
  if (isAfterLetter) return high.test(after) || !closers.test(sign) ? -1 : 0;
  return isBeforeLetter && high.test(before) ? -1 : 0;
}

/** Words have one script, and no capital after a small letter. */
function isOfWord(before: string, sign: string, after: string): boolean {
  if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(sign)) return false;
  return [before, after].every(
    (next) => !letter.test(next) || latin.test(next) === latin.test(sign),
  );
}

/** Most ASCII letters for each other byte in the words of a script that is not Latin. */
const latinShare = 0.2;

/**
 * The words that are not of ASCII, for the recognition of a script: tags, names and numbers around
 * them hide it. Undefined where such words have Latin letters too, as those with accents do.
 */
export function foreignWords(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  const words = text.match(/[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*/g)?.join(" ") ?? "";
  const others = words.match(/[\x80-\xff]/g)?.length ?? 0;
  const latinLetters = words.match(/[A-Za-z]/g)?.length ?? 0;
  return latinLetters > others * latinShare ? undefined : Buffer.from(words, "latin1");
}

/** Vowels and tones that stand above or below a consonant of Thai, by their bytes (TIS-620). */
const thaiMark = /[\xd1\xd4-\xda\xe7-\xee]/g;
/** The place of a mark without its consonant, of a first vowel without one, and rare signs. */
const unlikelyInThai =
  /(?<![\xa1-\xce\xd1\xd4-\xda\xe7-\xee])[\xd1\xd4-\xda\xe7-\xee]|[\xe0-\xe4](?![\xa1-\xce])|[\xdf\xef\xfa\xfb]/g;
/** Bytes that are neither Thai nor signs of windows-874. */
const notThai = /[\x80-\x84\x86-\x90\x98-\x9f\xdb-\xde\xfc-\xff]/;
const leastMarks = 5;
/** Thai has no spaces between words, and its letters no bytes of ASCII as those of Chinese have. */
const leastTogether = 5;
const unlikelyAtMost = 0.02;

/** True for text in Thai, whose bytes are possible in the encodings of Chinese and Korean too. */
export function areThai(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("latin1");
  const marks = text.match(thaiMark)?.length ?? 0;
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  if (runs.join("").length < runs.length * leastTogether) return false;
  if (marks < leastMarks || notThai.test(text)) return false;
  return (text.match(unlikelyInThai)?.length ?? 0) <= marks * unlikelyAtMost;
}
