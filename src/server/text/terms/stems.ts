import { stemmer as ofArabic } from "@orama/stemmers/arabic";
import { stemmer as ofDanish } from "@orama/stemmers/danish";
import { stemmer as ofDutch } from "@orama/stemmers/dutch";
import { stemmer as ofFinnish } from "@orama/stemmers/finnish";
import { stemmer as ofFrench } from "@orama/stemmers/french";
import { stemmer as ofGerman } from "@orama/stemmers/german";
import { stemmer as ofGreek } from "@orama/stemmers/greek";
import { stemmer as ofHungarian } from "@orama/stemmers/hungarian";
import { stemmer as ofItalian } from "@orama/stemmers/italian";
import { stemmer as ofNorwegian } from "@orama/stemmers/norwegian";
import { stemmer as ofPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as ofRomanian } from "@orama/stemmers/romanian";
import { stemmer as ofRussian } from "@orama/stemmers/russian";
import { stemmer as ofSpanish } from "@orama/stemmers/spanish";
import { stemmer as ofSwedish } from "@orama/stemmers/swedish";
import { stemmer as ofTurkish } from "@orama/stemmers/turkish";
import { stem as ofEnglish } from "porter2";
import { lightArabicStem } from "./arabic.ts";
import type { LatinLanguage } from "./languages.ts";
import { oneSpelling } from "./spelling-variants.ts";

/** Snowball stemmers; Polish has none. */
const stemmers: Readonly<Record<LatinLanguage, ((word: string) => string) | undefined>> = {
  da: ofDanish,
  de: ofGerman,
  en: (word) => ofEnglish(oneSpelling(word)),
  es: ofSpanish,
  fi: ofFinnish,
  fr: ofFrench,
  hu: ofHungarian,
  it: ofItalian,
  nl: ofDutch,
  no: ofNorwegian,
  pl: undefined,
  pt: ofPortuguese,
  ro: ofRomanian,
  sv: ofSwedish,
  tr: ofTurkish,
};

const cyrillic = /^\p{Script=Cyrillic}+$/u;
const greek = /^\p{Script=Greek}+$/u;
const arabic = /^\p{Script=Arabic}+$/u;
const latin = /^\p{Script=Latin}+$/u;

/** Shorter words have no endings. */
const leastLetters = 3;

/**
 * The stems of a word in lower case: by its script, or in Latin letters of each of the languages.
 * A word with digits or signs has none.
 */
export function stemsOf(lower: string, languages: readonly LatinLanguage[]): string[] {
  if (lower.length < leastLetters) return [];
  if (latin.test(lower)) {
    return languages.flatMap((language) => stemmers[language]?.(lower) ?? []);
  }
  if (cyrillic.test(lower)) return [ofRussian(lower)];
  if (arabic.test(lower)) return [...new Set([ofArabic(lower), lightArabicStem(lower)])];
  return greek.test(lower) ? [ofGreek(lower)] : [];
}
