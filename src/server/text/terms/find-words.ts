/** Words that do not describe a text or a question. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a,about,above,after,again,against,all,also,am,an,and,any,are,aren,as,at,be,because,been," +
    "before,being,below,between,both,but,by,can,cannot,could,couldn,d,did,didn,do,does,doesn," +
    "doing,don,down,during,each,else,ever,few,for,from,further,get,gets,give,given,gives,got," +
    "had,hadn,has,hasn,have,haven,having,he,her,here,hers,herself,him,himself,his,how,i,if," +
    "in,into,is,isn,it,its,itself,just,know,let,ll,m,many,may,me,might,mine,more,most,much," +
    "must,my,myself,no,nor,not,now,of,off,on,once,one,only,or,other,our,ours,ourselves,out," +
    "over,own,please,re,s,said,same,say,says,shall,she,should,shouldn,show,so,some,such,t," +
    "tell,than,that,the,their,theirs,them,themselves,then,there,these,they,this,those," +
    "through,to,too,under,until,up,us,ve,very,was,wasn,way,we,were,weren,what,whatever,when," +
    "where,whether,which,while,who,whom,whose,why,will,with,within,without,won,would,wouldn," +
    "yes,yet,you,your,yours,yourself,yourselves"
  ).split(","),
);

/**
 * Letters and signs of scripts without spaces between words, as a class of a pattern with the flag
 * `v`. It includes letters that several scripts share, e.g. the ー of データ.
 */
const unspacedLetter =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}" +
  "\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]";

/** Words by ICU's dictionaries, created once because that costs more than a use. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Letters with their marks, because the vowels of many scripts are marks. */
const spaced = `[[\\p{L}\\p{N}]--${unspacedLetter}][[\\p{L}\\p{N}\\p{M}]--${unspacedLetter}]*`;
const joined = new RegExp(`${spaced}(?:[\\-'’.\\/]${spaced})*|${unspacedLetter}+`, "gv");
/** The pattern has its own place here: `matchAll` would begin where the last search ended. */
const joinedFrom = new RegExp(joined);
const joint = /[-'’./]/;
const plainWord = new RegExp(spaced, "gv");
const unspaced = new RegExp(`^${unspacedLetter}`, "v");

/** A single one is a particle of Japanese, e.g. の. */
const oneHiragana = /^\p{Script=Hiragana}$/u;

export function isStopWord(text: string): boolean {
  return stopWords.has(text) || (text.length === 1 && oneHiragana.test(text));
}

/** A word of a text; offsets are UTF-16 code units. */
export type Word = { text: string; start: number; end: number; isIdentifier: boolean };

/** Takes the place of a word of a text. */
export type TakeWord = (start: number, end: number, isIdentifier: boolean) => void;

/**
 * Finds all words of a text in order. A reference such as PA-2026-0042 is one word, other words are
 * split at hyphens and slashes. A dictionary splits scripts without spaces, e.g. Japanese or Thai.
 */
export function visitPlaces(text: string, take: TakeWord): void {
  let at = 0;
  while (at < text.length) {
    const here = kinds[text.charCodeAt(at)];
    if (here === kind.none || here === kind.joint) {
      at += 1;
      continue;
    }
    const end = endOfPlain(text, at);
    if (end !== undefined) {
      takePlain(take, text, at, end);
      at = end;
      continue;
    }
    joinedFrom.lastIndex = at;
    const match = joinedFrom.exec(text);
    if (match === null) break;
    takeWhole(take, match[0], match.index);
    at = match.index + match[0].length;
  }
}

/** The words of {@link visitPlaces} with their texts. */
export function findWords(text: string): Word[] {
  const words: Word[] = [];
  visitPlaces(text, takeInto(words, text));
  return words;
}

function takeInto(words: Word[], text: string): TakeWord {
  return (start, end, isIdentifier) => {
    words.push({ text: text.slice(start, end), start, end, isIdentifier });
  };
}

/** Finds the same words by the pattern alone, which takes longer for letters of ASCII. */
export function findWordsByPattern(text: string): Word[] {
  const words: Word[] = [];
  const take = takeInto(words, text);
  for (const match of text.matchAll(joined)) takeWhole(take, match[0], match.index);
  return words;
}

const kind = { none: 0, letter: 1, joint: 2 } as const;
/** The kind of each character of ASCII; other characters are left to the pattern. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z0-9]/.test(sign)) return kind.letter;
  return joint.test(sign) ? kind.joint : kind.none;
});

/** The end of a word of ASCII with what is joined to it; undefined if it has other letters. */
function endOfPlain(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length) {
    const here = kinds[text.charCodeAt(at)];
    if (here === undefined) return undefined;
    if (here === kind.none) return at;
    if (here === kind.joint) {
      if (at + 1 === text.length) return at;
      const next = kinds[text.charCodeAt(at + 1)];
      if (next === undefined) return undefined;
      if (next !== kind.letter) return at;
    }
    at += 1;
  }
  return at;
}

/** Takes a word of ASCII: one reference, or the parts that are joined. */
function takePlain(take: TakeWord, text: string, start: number, end: number): void {
  let from = start;
  for (let at = start; at <= end; at += 1) {
    if (at < end && kinds[text.charCodeAt(at)] === kind.letter) continue;
    if (at < end && from === start && isIdentifier(text.slice(start, end))) {
      take(start, end, true);
      return;
    }
    take(from, at, false);
    from = at + 1;
  }
}

/** Takes what the pattern has matched. */
function takeWhole(take: TakeWord, whole: string, start: number): void {
  const isJoined = joint.test(whole);
  if (isJoined ? isIdentifier(whole) : !unspaced.test(whole)) {
    take(start, start + whole.length, isJoined);
    return;
  }
  for (const part of partsOf(whole)) {
    const from = start + part.start;
    take(from, from + part.text.length, false);
  }
}

/** Words with what joins them, such as the whole of `PA-2026-0042-plans.pdf`. */
export function findJoined(text: string): string[] {
  return isPlain.test(text)
    ? (text.match(joinedPlain) ?? [])
    : Array.from(text.matchAll(joined), ([whole]) => whole);
}

/** The parts of a joined word, or the words of a run without spaces. */
export function partsOf(whole: string): { text: string; start: number }[] {
  if (isPlain.test(whole)) {
    return Array.from(whole.matchAll(plainPart), ({ 0: text, index }) => ({ text, start: index }));
  }
  if (unspaced.test(whole)) {
    return Array.from(segmenter.segment(whole), ({ segment: text, index: start }) => {
      return { text, start };
    });
  }
  return Array.from(whole.matchAll(plainWord), ({ 0: text, index }) => ({ text, start: index }));
}

/** Patterns for texts of ASCII alone, whose classes of letters are small. */
const isPlain = /^[\0-\x7f]*$/;
const joinedPlain = /[A-Za-z0-9]+(?:[-'./][A-Za-z0-9]+)*/g;
const plainPart = /[A-Za-z0-9]+/g;

/** True for a reference: letters and at least two digits, joined by hyphens or slashes. */
export function isIdentifier(text: string): boolean {
  return /[-/]/.test(text) && /\p{L}/u.test(text) && /\p{N}{2,}/u.test(text);
}

/**
 * A light stem without plural, -ing, -ed and final e, so that "parking spaces" matches "parked in a
 * space". It need not be a word.
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

/** Two tests, because one pattern would search for the ending from every vowel. */
function endsAfterVowel(base: string, ending: string): boolean {
  return base.endsWith(ending) && /[aeiouy]/.test(base.slice(0, -ending.length));
}

/** "planned" and "planning" lose their doubled letter. */
function undouble(base: string): string {
  return /([bdgmnprt])\1$/.test(base) && base.length > 3 ? base.slice(0, -1) : base;
}
