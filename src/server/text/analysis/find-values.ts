import { findDates } from "./find-dates.ts";

export type FieldType =
  | "reference"
  | "date"
  | "money"
  | "number"
  | "email"
  | "phone"
  | "postcode"
  | "address"
  | "person"
  | "organisation"
  | "text";

/** A value found in a text; offsets are UTF-16 code units of its source. */
export type FoundValue = {
  type: FieldType;
  start: number;
  end: number;
  value: string | number;
  confidence: number;
};

const postcodeSource = "[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}";
const street =
  "Street|Road|Lane|Avenue|Square|Close|Drive|Court|Place|Terrace|Way|Hill|Yard|Row|Walk|Quay|" +
  "Gardens|Crescent|Park|Grove|Mews|Rise|Parade|Wharf";

const reference = new RegExp(
  [
    "\\b[A-Z]{2,6}[-/]\\d{2,4}[-/]\\d{3,6}\\b",
    "\\b[A-Z]{2,6}[-/]\\d{4,8}\\b",
    "\\b\\d{2,4}/\\d{4,6}/[A-Z]{2,6}\\b",
  ].join("|"),
  "g",
);
const amount = "\\d{1,3}(?:,\\d{3}){1,5}(?:\\.\\d{1,2})?|\\d{1,12}(?:\\.\\d{1,2})?";
const scale = "(?: ?(million|thousand|bn|m|k)\\b)?";
const moneyBefore = new RegExp(
  `(£|€|\\$|\\b(?:GBP|EUR|USD)) ?(${amount})(?![\\d,.]\\d)${scale}`,
  "gi",
);
const moneyAfter = new RegExp(
  `(?<![\\d.,])(${amount})${scale} ?(GBP|EUR|USD|pounds|euros|dollars)\\b`,
  "gi",
);
const email = /\b[A-Z0-9][A-Z0-9._%+-]{0,63}@(?:[A-Z0-9-]{1,63}\.){1,8}[A-Z]{2,24}\b/gi;
const dialled = "\\+\\d{1,3}[ -]?(?:\\(0\\)[ -]?)?\\d{1,5}|\\(0\\d{2,5}\\)|0\\d{2,5}";
const phone = new RegExp(`(?<![\\d/.-])(?:${dialled})(?:[ -]?\\d{3,4}){2,3}(?![\\d/-])`, "g");
const postcode = new RegExp(`\\b${postcodeSource}\\b`, "g");
// A whole capitalised word, but not the letters at the start of a postcode.
const properName = "\\p{Lu}[\\p{L}'’-]{1,30}(?![\\p{L}\\d])";
const address = new RegExp(
  `\\b\\d{1,4}[A-Za-z]? (?:${properName} ){1,4}(?:${street})\\b` +
    `(?:,? ${properName}){0,3}(?:,? ${postcodeSource}\\b)?`,
  "gu",
);

const currencies: Readonly<Record<string, string>> = {
  "£": "GBP",
  "€": "EUR",
  $: "USD",
  pounds: "GBP",
  euros: "EUR",
  dollars: "USD",
};
const scales: Readonly<Record<string, number>> = {
  million: 1e6,
  m: 1e6,
  bn: 1e9,
  thousand: 1e3,
  k: 1e3,
};

/**
 * Finds values by their form, in order of the text. Values are normalised: ISO 8601 dates, money as
 * `GBP 1250.00`, e-mail in lower case, phone numbers as digits, postcodes with their space.
 */
export function findValues(text: string): FoundValue[] {
  const found: FoundValue[] = [
    ...findDates(text).map((date): FoundValue => ({ type: "date", ...date })),
    ...findAll(text, reference, "reference", 0.8, (match) => match[0]),
    ...findAll(text, moneyBefore, "money", 0.9, ([, sign, digits, by]) => money(sign, digits, by)),
    ...findAll(text, moneyAfter, "money", 0.85, ([, digits, by, sign]) => money(sign, digits, by)),
    ...findAll(text, email, "email", 0.95, (match) => match[0].toLowerCase()),
    ...findAll(text, phone, "phone", 0.75, (match) => phoneDigits(match[0])),
    ...findAll(text, address, "address", 0.75, (match) => match[0]),
    ...findAll(text, postcode, "postcode", 0.85, (match) => spacedPostcode(match[0])),
  ];
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function findAll(
  text: string,
  pattern: RegExp,
  type: FieldType,
  confidence: number,
  read: (match: RegExpExecArray) => string | null,
): FoundValue[] {
  const found: FoundValue[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = read(match);
    if (value === null) continue;
    found.push({ type, start: match.index, end: match.index + match[0].length, value, confidence });
  }
  return found;
}

function money(
  sign: string | undefined,
  digits: string | undefined,
  by: string | undefined,
): string | null {
  if (sign === undefined || digits === undefined) return null;
  const currency = currencies[sign.toLowerCase()] ?? sign.toUpperCase();
  const factor = by === undefined ? 1 : (scales[by.toLowerCase()] ?? 1);
  return `${currency} ${(Number(digits.replaceAll(",", "")) * factor).toFixed(2)}`;
}

/** Digits with an international number's +; null for fewer than 10 or more than 16. */
function phoneDigits(written: string): string | null {
  const digits = written.replace("(0)", "").replace(/[^\d+]/g, "");
  return digits.length >= 10 && digits.length <= 16 ? digits : null;
}

function spacedPostcode(written: string): string {
  const joined = written.replace(" ", "");
  return `${joined.slice(0, -3)} ${joined.slice(-3)}`;
}
