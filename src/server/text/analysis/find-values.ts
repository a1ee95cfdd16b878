import { amountInText, currencyCodes, currencyOf, readAmount } from "./amounts.ts";
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
const scale = "(?: ?(million|thousand|bn|m|k)(?!\\p{L}))?";
/** A dash between two amounts, or between words and an amount, is no sign. */
const negative = "((?<![\\p{L}\\p{N}.,)%] ?)[-\\u2212])?";
const codes = currencyCodes.join("|");
const moneyBefore = new RegExp(
  `${negative}(£|US\\$|\\$|€|¥|₹|₺|₽|(?<!\\p{L})(?:${codes}))[ \\u00a0]?` +
    `([-\\u2212]?(?:${amountInText}))(?!\\d|[.,'\\u2019]\\d)${scale}`,
  "giu",
);
const moneyAfter = new RegExp(
  `${negative}(?<![\\d.,'\\u2019]|\\d )(${amountInText})${scale}[ \\u00a0\\u202f]?` +
    `(€|zł|Kč|₺|₽|(?:TL|${codes}|pounds|euros?|dollars)(?!\\p{L}))`,
  "giu",
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
    ...findMoney(text),
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

/** Spaces between thousands, and `1.234`, may be meant in another way. */
const doubtfulConfidence = 0.6;

function findMoney(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  const add = (match: RegExpExecArray, confidence: number, part: MoneyParts): void => {
    const value = money(part);
    if (value === undefined) return;
    const isDoubtful = value.isAmbiguous || /\d \d{3}$/.test(part.digits);
    const [start, end] = [match.index, match.index + match[0].length];
    const sure = isDoubtful ? doubtfulConfidence : confidence;
    found.push({ type: "money", start, end, value: value.text, confidence: sure });
  };
  for (const match of text.matchAll(moneyBefore)) {
    const [, minus = "", currency = "", digits = "", by] = match;
    add(match, 0.9, { minus, currency, digits, by });
  }
  const before = found.length;
  let at = 0;
  for (const match of text.matchAll(moneyAfter)) {
    const [, minus = "", digits = "", by, currency = ""] = match;
    while (at < before && (found[at]?.end ?? 0) <= match.index) at += 1;
    const isTaken = at < before && (found[at]?.start ?? 0) < match.index + match[0].length;
    if (!isTaken) add(match, 0.85, { minus, currency, digits, by });
  }
  return found;
}

interface MoneyParts {
  /** A minus before the currency, or nothing. */
  readonly minus: string;
  readonly currency: string;
  readonly digits: string;
  readonly by: string | undefined;
}

/** Dollars and pounds with three digits after a point are neither thousands nor a price. */
function money({ minus, currency, digits, by }: MoneyParts) {
  const amount = readAmount(`${minus}${digits}`, { isMoney: true });
  const code = currencyOf(currency);
  if (amount === undefined || (amount.isAmbiguous && /^(?:GBP|USD)$/.test(code))) return undefined;
  const factor = by === undefined ? 1 : (scales[by.toLowerCase()] ?? 1);
  const { isAmbiguous } = amount;
  return { text: `${code} ${(amount.value * factor).toFixed(2)}`, isAmbiguous };
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
