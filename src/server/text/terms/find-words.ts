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

/**
 * All words of a text in order. A reference such as PA-2026-0042 is one word, other words are split
 * at hyphens and slashes. A dictionary splits scripts without spaces, e.g. Japanese or Thai.
 */
export function findWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(joined)) {
    const whole = match[0];
    const start = match.index;
    const isJoined = joint.test(whole);
    if (isJoined ? isIdentifier(whole) : !unspaced.test(whole)) {
      words.push({ text: whole, start, end: start + whole.length, isIdentifier: isJoined });
      continue;
    }
    for (const part of partsOf(whole)) {
      const from = start + part.start;
      const end = from + part.text.length;
      words.push({ text: part.text, start: from, end, isIdentifier: false });
    }
  }
  return words;
}

/** Words with what joins them, such as the whole of `PA-2026-0042-plans.pdf`. */
export function findJoined(text: string): string[] {
  return Array.from(text.matchAll(joined), ([whole]) => whole);
}

/** The parts of a joined word, or the words of a run without spaces. */
export function partsOf(whole: string): { text: string; start: number }[] {
  if (unspaced.test(whole)) {
    return Array.from(segmenter.segment(whole), ({ segment: text, index: start }) => {
      return { text, start };
    });
  }
  return Array.from(whole.matchAll(plainWord), ({ 0: text, index }) => ({ text, start: index }));
}

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
