/** A word with its box, in the units of its page, from the top left corner. */
export interface PlacedWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The recognition of a picture is not sure of it. */
  readonly isUnsure?: true | undefined;
}

/** The words of a page in the order of its text, and the size of the page in their units. */
export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly words: readonly PlacedWord[];
  /** The words are those of a picture. */
  readonly isRecognised?: true | undefined;
}

/** Six numbers for each word: start and length in the text, then x, y, width and height. */
export interface PageWords {
  /**
   * Two numbers for each part of a picture's text of which the recognition is not sure: start and
   * length in the text. Missing for other pages.
   */
  readonly unsure?: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly places: readonly number[];
}

export const numbersOfWord = 6;
/** Words of one page and of one document whose places are kept. */
export const wordLimits = { page: 10_000, document: 400_000, unsure: 300 } as const;
/** The longest text between two words, e.g. a word that the page has in other letters. */
const farthest = 100;

/** The places of words in the text of their page, in order. Words that it lacks are left out. */
export function placesOf(
  text: string,
  { width, height, words, isRecognised }: PageLayout,
): PageWords {
  const places: number[] = [];
  const unsure: number[] = [];
  let cursor = 0;
  for (const word of words.slice(0, wordLimits.page)) {
    const written = word.text.normalize("NFC");
    const found = placeOf(text, written, cursor);
    if (found === undefined) continue;
    cursor = found.start + found.length;
    if (word.isUnsure === true) addPart(unsure, found);
    places.push(
      found.start,
      found.length,
      tenths(word.x),
      tenths(word.y),
      tenths(word.width),
      tenths(word.height),
    );
  }
  const size = { width: Math.round(width), height: Math.round(height) };
  return isRecognised === true ? { unsure, ...size, places } : { ...size, places };
}

/** Adds a part, or joins it with the last one if that is near, or if there are many. */
function addPart(parts: number[], { start, length }: { start: number; length: number }): void {
  const [lastStart = 0, lastLength = 0] = parts.slice(-2);
  const isNear = start - lastStart - lastLength <= 1;
  if (parts.length === 0 || (!isNear && parts.length < 2 * wordLimits.unsure)) {
    parts.push(start, length);
  } else parts[parts.length - 1] = start + length - lastStart;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A word that the end of a line has broken is in the text without its hyphen. */
function placeOf(text: string, word: string, from: number) {
  // Most words follow the one before after one space.
  if (word !== "" && text.startsWith(word, from)) return { start: from, length: word.length };
  if (word !== "" && text.startsWith(word, from + 1)) {
    return { start: from + 1, length: word.length };
  }
  const near = text.slice(from, from + farthest + word.length);
  for (const written of word.endsWith("-") ? [word, word.slice(0, -1)] : [word]) {
    const at = written === "" ? -1 : near.indexOf(written);
    if (at >= 0) return { start: from + at, length: written.length };
  }
  return undefined;
}

/** True if numbers from a child are places in a text of this length. */
export function arePlaces(places: readonly unknown[], characters: number): places is number[] {
  if (places.length % numbersOfWord !== 0) return false;
  if (places.length > wordLimits.page * numbersOfWord) return false;
  for (let word = 0; word < places.length; word += numbersOfWord) {
    const [start, length] = [places[word], places[word + 1]];
    if (!isCount(start) || !isCount(length) || start + length > characters) return false;
    for (let at = word + 2; at < word + numbersOfWord; at += 1) {
      if (!Number.isFinite(places[at])) return false;
    }
  }
  return true;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
