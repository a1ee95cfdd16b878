import { endWeight, formWeight } from "../search/word-forms.ts";
import { lightArabicStem } from "../terms/arabic.ts";
import { findWords, type Word } from "../terms/find-words.ts";
import { isFunctionWord } from "../terms/function-words.ts";
import { languagesOf, type LatinLanguage } from "../terms/languages.ts";
import { findTerms, unaccented } from "../terms/terms.ts";
import { tellingWordsIn } from "../terms/numbered-words.ts";
import { formsOfWord, type FormsOfTerm } from "../terms/text-words.ts";

/** The weight of a word with the same stem, next to the word itself. */
const weightOfStem = 0.9;
/** Words with an article in front of the stem begin alike without being forms of one word. */
const arabic = /\p{Script=Arabic}/u;

/** Words of questions that their answers rarely have, next to the function words of a language. */
const askingWords: ReadonlySet<string> = new Set(
  findTerms(
    "say says said tell told reply answer respond state write mention describe explain need " +
      "needed require required give given happen mean contain issued document documents",
  ).map(({ term }) => term),
);
/** Words before a degree that is asked for ("how long"), and degrees that answers rarely name. */
const beforeDegree: ReadonlySet<string> = new Set(["how", "wie", "hoe", "hur"]);
const degrees: ReadonlySet<string> = new Set(
  (
    "long often far large big tall wide deep old fast soon late early heavy expensive " +
    "lange lang oft weit groß tief alt schnell früh spät schwer teuer vaak ver groot oud lång ofta"
  ).split(" "),
);
/** An ending of a Turkish name, after an apostrophe. */
const turkishEnding =
  /^(?:[yns]?[ıiuüae]|n?[dt][ae](?:n|ki)?|y?l[ae]|[dt][ıiuü]r?|[sny]?[ıiuü]n[ae]?)$/u;

/** A language that writes all its nouns like names. */
const nounsLikeNames = "de";
const letterWithCase = /[\p{Lu}\p{Ll}]/u;
/** Languages that write a compound as one word, whose subject is often its last part. */
const withCompounds: ReadonlySet<LatinLanguage> = new Set(["da", "de", "nl", "no", "sv"]);
const capital = /^\p{Lu}/u;
/** The end of a sentence or its beginning between two words of a question. */
const newSentence = /[\p{Sentence_Terminal}:;\n]/u;

/** The words of a text that are no stop words, with their forms in these languages. */
export function tellingWords(text: string, languages: readonly LatinLanguage[]): FormsOfTerm[] {
  if (!languages.includes(withEndings)) return tellingWordsIn(text, languages);
  return findWords(text).flatMap((word) => {
    const { words, isTelling } = formsOfWord(word, languages);
    return isTelling && !isEnding(word, text, languages) ? words.slice(0, 1) : [];
  });
}

/** A language whose names have endings that count as words. */
const withEndings = "tr";

/** True for the ending of a name that Turkish writes apart: `Luther'in`. */
function isEnding({ text, start }: Word, whole: string, languages: readonly LatinLanguage[]) {
  if (!languages.includes(withEndings) || !/['’]/.test(whole.charAt(start - 1))) return false;
  return turkishEnding.test(text);
}

/** A word of a question as texts may have it. */
export interface AskedWord {
  readonly forms: readonly string[];
  /** The word that it may be a misspelling of, with the weight of that one. */
  readonly correction?: Correction | undefined;
  /** True for a name, by its capital letter; undefined where the writing marks no names. */
  readonly isName: boolean | undefined;
  /** True for a word of questions that carries no subject. */
  readonly isAsking: boolean;
}

/** The word that replaces a misspelt one; `weight` is 1 if that is sure. */
export interface Correction {
  readonly word: string;
  readonly weight: number;
}

/** The words of a question with their forms; one that is surely misspelt is the correct one. */
export function askedForms(
  question: string,
  languages: readonly LatinLanguage[],
  correctionOf: (term: string) => Correction | undefined,
): Map<string, AskedWord> {
  const all = findWords(question);
  const { languages: own, isSure } = languagesOf(all);
  const mayBeNouns =
    own.includes(nounsLikeNames) || (!isSure && languages.includes(nounsLikeNames));
  const names = mayBeNouns || !letterWithCase.test(question) ? null : namesAmong(all, question);
  const asking = [...new Set([...languages, ...own])];
  const asked = all.flatMap((word, at): [string, AskedWord][] => {
    const { words, isTelling } = formsOfWord(word, languages);
    const [first] = words;
    if (!isTelling || first === undefined || isEnding(word, question, languages)) return [];
    const { term, forms } = first;
    const isAsking =
      askingWords.has(term) ||
      isFunctionWord(plainOf(word), asking) ||
      isDegree(word, at === 0 ? undefined : all[at - 1]);
    const correction = isAsking ? undefined : correctionOf(term);
    const isName = names === null ? undefined : names.has(word) && !isAsking;
    if (correction?.weight !== 1) return [[term, { forms, correction, isName, isAsking }]];
    return [[correction.word, { forms: [], isName, isAsking }]];
  });
  return new Map(asked);
}

const noNames: ReadonlySet<Word> = new Set();

/** Words with a capital letter inside a sentence; none if its other words have one too. */
function namesAmong(words: readonly Word[], question: string): ReadonlySet<Word> {
  const names = new Set<Word>();
  let end = 0;
  for (const word of words) {
    const isFirst = end === 0 || newSentence.test(question.slice(end, word.start));
    end = word.end;
    if (isFirst || word.isIdentifier || word.text.length < 2 || !capital.test(word.text)) continue;
    if (!formsOfWord(word, []).isTelling) return noNames;
    names.add(word);
  }
  return names;
}

function isDegree({ text }: Word, before: Word | undefined): boolean {
  return beforeDegree.has(before?.text.toLowerCase() ?? "") && degrees.has(text);
}

function plainOf({ text }: Word): string {
  return unaccented(text.toLowerCase());
}

type WeightedWord = readonly [asked: string, weight: number];

/** The words of a question, each with the weight of a text's words for it. */
export class AskedForms {
  readonly #known = new Map<readonly string[], readonly WeightedWord[]>();
  /** The words of the question as they are compared letter by letter. */
  readonly #spellings: ReadonlyMap<string, string>;

  readonly #hasCompounds: boolean;

  constructor(
    private readonly asked: ReadonlyMap<string, AskedWord>,
    /** The languages of the texts. */
    languages: readonly LatinLanguage[] = [],
  ) {
    this.#hasCompounds = languages.some((language) => withCompounds.has(language));
    const words = [...asked].flatMap(([term, { correction }]) => [term, correction?.word ?? term]);
    this.#spellings = new Map(words.map((word) => [word, spellingOf(word)]));
  }

  /** The asked words of which a word is a form. */
  of({ term, forms }: FormsOfTerm): readonly WeightedWord[] {
    // A word shares its forms with all texts of its language.
    let found = this.#known.get(forms);
    if (found === undefined) {
      const spelt = spellingOf(term);
      const weightOf = (asked: string, askedForm: readonly string[]): number => {
        if (asked === term) return 1;
        const hasStem = forms.some((form) => form === asked || askedForm.includes(form));
        const spelling = this.#spellings.get(asked) ?? asked;
        const atEnd = this.#hasCompounds ? endWeight(spelling, spelt) : 0;
        return Math.max(hasStem ? weightOfStem : 0, formWeight(spelling, spelt), atEnd);
      };
      found = [...this.asked].flatMap(([asked, { forms: own, correction }]) => {
        const other = correction === undefined ? 0 : weightOf(correction.word, []);
        const weight = Math.max(weightOf(asked, own), other * (correction?.weight ?? 0));
        return weight === 0 ? [] : [[asked, weight] as const];
      });
      this.#known.set(forms, found);
    }
    return found;
  }

  /** The best weight of each asked word among the words of a text. */
  in(words: Iterable<FormsOfTerm>): Map<string, number> {
    const best = new Map<string, number>();
    for (const word of words) {
      for (const [term, weight] of this.of(word)) {
        if (weight > (best.get(term) ?? 0)) best.set(term, weight);
      }
    }
    return best;
  }
}

function spellingOf(term: string): string {
  return arabic.test(term) ? lightArabicStem(term) : term;
}
