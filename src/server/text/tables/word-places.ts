/** A word with its box, in the units of its page, from the top left corner. */
export interface PlacedWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The words of a page in the order of its text, and the size of the page in their units. */
export interface PageLayout {
  readonly width: number;
  readonly height: number;
  readonly words: readonly PlacedWord[];
}

/** Six numbers for each word: start and length in the text, then x, y, width and height. */
export interface PageWords {
  readonly width: number;
  readonly height: number;
  readonly places: readonly number[];
}

export const numbersOfWord = 6;
/** Words of one page and of one document whose places are kept. */
export const wordLimits = { page: 10_000, document: 400_000 } as const;
/** The longest text between two words, e.g. a word that the page has in other letters. */
const farthest = 100;

/** The places of words in the text of their page, in order. Words that it lacks are left out. */
export function placesOf(text: string, { width, height, words }: PageLayout): PageWords {
  const places: number[] = [];
  let cursor = 0;
  for (const word of words.slice(0, wordLimits.page)) {
    const written = word.text.normalize("NFC");
    const found = placeOf(text, written, cursor);
    if (found === undefined) continue;
    cursor = found.start + found.length;
    places.push(
      found.start,
      found.length,
      tenths(word.x),
      tenths(word.y),
      tenths(word.width),
      tenths(word.height),
    );
  }
  return { width: Math.round(width), height: Math.round(height), places };
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
