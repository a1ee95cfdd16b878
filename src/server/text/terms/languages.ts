import { functionWordsOf, type ListedLanguage } from "./function-words.ts";
import { isStopWord, type Word } from "./find-words.ts";

/** Languages in Latin letters, which only their words tell apart; see {@link languagesOf}. */
export const latinLanguages = [
  "da",
  "de",
  "en",
  "es",
  "fi",
  "fr",
  "hu",
  "it",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "sv",
  "tr",
] as const satisfies readonly (ListedLanguage | "en")[];
export type LatinLanguage = (typeof latinLanguages)[number];

export interface FoundLanguages {
  /** The likeliest first; two of a text that is too short to tell. */
  readonly languages: readonly LatinLanguage[];
  /** True if the text has enough words of its language, and of no other one. */
  readonly isSure: boolean;
}

/** Most texts show their language in the first words, and others in more of them. */
const wordsAtMost = { first: 30, more: 100, letters: 40 };
/** The language of a text that shows none. */
const usual: LatinLanguage = "en";
const usualBonus = 0.5;
const sureScore = 2;
const sureLead = 1.5;
/** Share of the best score from which on a second language is as likely. */
const closeShare = 0.7;
/** The weight of a rare letter or an ending, next to that of a function word. */
const hintWeight = 0.5;
/** Endings count for words of so many letters. */
const wordWithEnding = 6;

/** Letters that few languages have, with those languages. */
const letters: Readonly<Record<string, readonly LatinLanguage[]>> = {
  ß: ["de"],
  ä: ["de", "fi", "sv"],
  ö: ["de", "fi", "hu", "sv", "tr"],
  ü: ["de", "hu", "tr"],
  å: ["da", "no", "sv"],
  æ: ["da", "no"],
  ø: ["da", "no"],
  ñ: ["es"],
  ã: ["pt"],
  õ: ["pt"],
  ç: ["fr", "pt", "tr"],
  œ: ["fr"],
  ê: ["fr", "pt"],
  è: ["fr", "it"],
  à: ["fr", "it", "pt"],
  ù: ["fr", "it"],
  ò: ["it"],
  ì: ["it"],
  é: ["es", "fr", "hu", "it", "pt"],
  á: ["es", "hu", "pt"],
  í: ["es", "hu", "pt"],
  ó: ["es", "hu", "pl", "pt"],
  ú: ["es", "hu", "pt"],
  ğ: ["tr"],
  ı: ["tr"],
  ş: ["ro", "tr"],
  ő: ["hu"],
  ű: ["hu"],
  ă: ["ro"],
  ș: ["ro"],
  ț: ["ro"],
  â: ["fr", "ro"],
  î: ["fr", "ro"],
  ł: ["pl"],
  ą: ["pl"],
  ę: ["pl"],
  ś: ["pl"],
  ź: ["pl"],
  ż: ["pl"],
  ć: ["pl"],
  ń: ["pl"],
};
const rareLetter = new RegExp(`[${Object.keys(letters).join("")}]`, "u");

/** Endings of longer words, with the languages that have many of them. */
const endings: readonly (readonly [ending: RegExp, languages: readonly LatinLanguage[]])[] = [
  [/(?:ung|ungen|keit|keiten|heiten|schaft|lich|liche[nrsm]?|isch|ische[nrsm]?)$/u, ["de"]],
  [/(?:ción|ciones|dades|miento|mientos|amos)$/u, ["es"]],
  [/(?:ção|ções|dades?|mentos)$/u, ["pt"]],
  [/(?:zione|zioni|mento|menti|ità|aggio|aggi)$/u, ["it"]],
  [/(?:eux|euse|euses|iques?|ités?|ements?|aires?)$/u, ["fr"]],
  [/(?:tion|tions)$/u, ["en", "fr"]],
  [/(?:ness|ship|ings|ously|ically|able|ful)$/u, ["en"]],
  [/(?:heid|heden|lijk|lijke|ijken)$/u, ["nl"]],
  [/(?:ningen|heten|arna|orna|erna|ande)$/u, ["sv"]],
  [/(?:erne|hederne|elser)$/u, ["da"]],
  [/(?:ssa|ssä|lla|llä|sta|stä|iset|isen|inen|uden)$/u, ["fi"]],
  [/(?:ság|ség|ságok|ségek|ások|ések|ban|ben|nak|nek)$/u, ["hu"]],
  [/(?:ului|ilor|elor|ție|ții|uri)$/u, ["ro"]],
  [/(?:lar|ler|ları|leri|lık|lığı|mak|mek|ması|mesi)$/u, ["tr"]],
  [/(?:ości|ość|ego|owych|ania|enia)$/u, ["pl"]],
];

/** The languages that have each function word; made once. */
let known: ReadonlyMap<string, readonly LatinLanguage[]> | undefined;

function languagesOfWords(): ReadonlyMap<string, readonly LatinLanguage[]> {
  const byWord = new Map<string, LatinLanguage[]>();
  for (const language of latinLanguages) {
    if (language === "en") continue;
    for (const word of functionWordsOf(language).split(" ")) {
      const having = byWord.get(word) ?? (isStopWord(word) ? (["en"] as LatinLanguage[]) : []);
      byWord.set(word, [...having, language]);
    }
  }
  return byWord;
}

const english: readonly LatinLanguage[] = ["en"];

/** The languages that have a word as a function word. */
export function languagesHaving(word: string): readonly LatinLanguage[] {
  // Single letters are also options, units and list marks.
  if (word.length === 1) return none;
  known ??= languagesOfWords();
  const lower = word.toLowerCase();
  return known.get(lower) ?? (isStopWord(lower) ? english : none);
}

const none: readonly LatinLanguage[] = [];

/** The languages that a word hints at by each of its rare letters and endings. */
export function hintsOf(word: string): readonly (readonly LatinLanguage[])[] {
  const lower = word.toLowerCase();
  const hints: (readonly LatinLanguage[])[] = [];
  if (rareLetter.test(lower)) {
    for (const letter of new Set(lower)) {
      const having = letters[letter];
      if (having !== undefined) hints.push(having);
    }
  }
  if (lower.length < wordWithEnding) return hints.length === 0 ? noHints : hints;
  for (const [ending, languages] of endings) if (ending.test(lower)) hints.push(languages);
  return hints.length === 0 ? noHints : hints;
}

const noHints: readonly (readonly LatinLanguage[])[] = [];

/** The words of a text in order, with {@link languagesHaving} and {@link hintsOf} each of them. */
export interface WordsOfText {
  readonly length: number;
  havingAt(at: number): readonly LatinLanguage[];
  hintsAt(at: number): readonly (readonly LatinLanguage[])[];
}

/**
 * The language of a text in Latin letters, from its function words, letters and endings. Words of
 * other scripts count for nothing: their script decides how they are stemmed.
 */
export function languagesOf(words: readonly Pick<Word, "text">[]): FoundLanguages {
  const textAt = (at: number): string => words[at]?.text ?? "";
  return languagesAmong({
    length: words.length,
    havingAt: (at) => languagesHaving(textAt(at)),
    hintsAt: (at) => hintsOf(textAt(at)),
  });
}

/** {@link languagesOf} a text whose words may not have been copied. */
export function languagesAmong(words: WordsOfText): FoundLanguages {
  const scores = new Map<LatinLanguage, number>([[usual, usualBonus]]);
  const add = (languages: readonly LatinLanguage[], weight: number): void => {
    for (const language of languages) {
      scores.set(language, (scores.get(language) ?? 0) + weight / languages.length);
    }
  };
  for (const [from, to] of [
    [0, wordsAtMost.first],
    [wordsAtMost.first, wordsAtMost.more],
  ] as const) {
    for (let at = from; at < Math.min(to, words.length); at += 1) {
      add(words.havingAt(at), 1);
    }
    const byWords = likeliest(scores);
    if (byWords.isSure) return byWords;
  }
  for (let at = 0; at < Math.min(wordsAtMost.letters, words.length); at += 1) {
    for (const languages of words.hintsAt(at)) add(languages, hintWeight);
  }
  return likeliest(scores);
}

/** The first of the highest scores, and the first of the highest others. */
function likeliest(scores: ReadonlyMap<LatinLanguage, number>): FoundLanguages {
  let [best, second]: [LatinLanguage, LatinLanguage] = [usual, usual];
  let [score, next] = [-1, 0];
  for (const [language, each] of scores) {
    if (each > score) {
      if (score >= 0) [second, next] = [best, score];
      [best, score] = [language, each];
    } else if (each > next) {
      [second, next] = [language, each];
    }
  }
  if (score >= sureScore && score >= sureLead * next) return { languages: [best], isSure: true };
  const other = next >= closeShare * score ? second : usual;
  return { languages: [...new Set([best, other])], isSure: false };
}
