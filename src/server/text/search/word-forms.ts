/** Letters at the start that two forms of a word share at least. */
const leastShared = 4;
/** The share of the longer form that they have in common. */
const shareOfLonger = 0.6;
/** The weight of another form next to the word itself. */
const weightOfForm = 0.7;
/** A word of so many letters that begins another one is a part of a compound. */
const lettersOfPart = 6;
/** A word of so many letters that ends another one is what a German compound is about. */
const lettersAtEnd = 5;
const weightOfPart = 0.5;

/**
 * The weight between 0 and 1 at which a word counts for one of a question: 1 for the same, 0.7 for
 * words that begin alike, as forms of one word do in most languages, 0.5 for a part of a compound
 * (Vermessung of Vermessungskosten), and 0 otherwise.
 */
export function formWeight(asked: string, word: string): number {
  if (asked === word) return 1;
  const shortest = Math.min(asked.length, word.length);
  if (shortest < leastShared) return 0;
  let shared = 0;
  while (shared < shortest && asked.charCodeAt(shared) === word.charCodeAt(shared)) shared += 1;
  const longest = Math.max(asked.length, word.length);
  if (/\p{N}/u.test(asked)) return 0;
  if (shared >= Math.max(leastShared, shareOfLonger * longest)) return weightOfForm;
  return shared === shortest && shortest >= lettersOfPart ? weightOfPart : 0;
}

/** The first part of a compound is a word: it has so many letters, and is no beginning. */
const lettersOfFirst = 3;
const vowel = /[aeiouyæøœ]/;
/** Beginnings that make another word of one, often the opposite: Vermieter, Nichtraucher. */
const beginnings: ReadonlySet<string> = new Set(
  (
    "ver zer ent emp miss nicht vor aus auf ein mit ont niet van wan voor uit " +
    "for mis und ikke icke inte fra fran ned opp upp"
  ).split(" "),
);

/** The weight of the last part of a compound for the compound, and the other way round. */
export function endWeight(asked: string, word: string): number {
  const [part, compound] = asked.length < word.length ? [asked, word] : [word, asked];
  if (part.length < lettersAtEnd || !compound.endsWith(part)) return 0;
  const first = compound.slice(0, -part.length);
  const isWord = first.length >= lettersOfFirst && vowel.test(first) && !beginnings.has(first);
  return isWord ? weightOfPart : 0;
}
