/** First parts of compounds that are written with a hyphen. */
const compoundParts = new Set(
  (
    "all anti co cross ex far fast first five four free full half hard high ill in inter large " +
    "left life light long low mid multi near new non off old on one open out over part post pre " +
    "pro re right second self semi short single six slow small so state sub ten third three top " +
    "two under up user water well wide world year"
  ).split(" "),
);
/** A shorter one may be the beginning of a broken word, such as "in-" and "re-". */
const leastLetters = 4;
const word = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
const lastWord = /([\p{L}\p{M}]+)-$/u;
const firstWord = /^[\p{L}\p{M}]+/u;

/** Knows the hyphens of compounds at the ends of lines from those that only break a word. */
export class LineHyphens {
  /** The words of a page in lower case, also those with hyphens; few pages need them. */
  #known: ReadonlySet<string> | undefined;

  constructor(private readonly lines: readonly string[]) {}

  get #words(): ReadonlySet<string> {
    return (this.#known ??= wordsOf(this.lines));
  }

  /**
   * True if the hyphen at the end of a line belongs to its word: between other than lower-case
   * letters ("OG-07"), or where the page has the compound, or both of its parts but not the whole.
   */
  isKept(line: string, next: string): boolean {
    if (!/\p{Ll}-$/u.test(line) || !/^\p{Ll}/u.test(next)) return true;
    const left = (lastWord.exec(line)?.[1] ?? "").toLowerCase();
    const right = (firstWord.exec(next)?.[0] ?? "").toLowerCase();
    if (this.#words.has(`${left}-${right}`)) return true;
    if (this.#words.has(left + right)) return false;
    if (left.length >= leastLetters && compoundParts.has(left)) return true;
    const areWords = left.length >= leastLetters && right.length >= leastLetters;
    return areWords && this.#words.has(left) && this.#words.has(right);
  }
}

function wordsOf(lines: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const [at, line] of lines.entries()) {
    // The words on both sides of such a hyphen may be halves of one.
    const isRest = lastWord.test(lines[at - 1] ?? "");
    const inside = (isRest ? line.replace(firstWord, "") : line).replace(lastWord, "");
    for (const [found] of inside.matchAll(word)) words.add(found.toLowerCase());
  }
  return words;
}
