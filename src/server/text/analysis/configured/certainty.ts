import type { PageText } from "../../extraction/extracted-document.ts";
import type { Span } from "./find-pattern.ts";
import { lettersOf } from "./label-cells.ts";
import type { ScalarType } from "./scalar-value.ts";

/** A value with a word of which the recognition is not sure. */
const ofUnsureWord = 0.7;
/** A text from a page that has lost the accents of its labels. */
const withoutAccents = 0.75;
/** Accents and forms of companies of languages whose accents a recognition may lose. */
const ofOtherLanguage =
  /[^\x20-\x7e]|(?<!\p{L})(?:GmbH|AG|KG|OHG|SARL|SAS|S\.L\.|S\.A\.|S\.r\.l\.)(?!\p{L})/u;
/** A text that may be the rest of a word. */
const ofRest = 0.7;
/** An amount that is written in another form than those around it. */
const inOtherForm = 0.6;
/** An amount that nothing on the page confirms. */
const unconfirmed = 0.8;

interface ValuePlace {
  readonly span: Span;
  readonly type: ScalarType;
  /** The labels of all fields. */
  readonly labels: Iterable<string>;
}

/**
 * The confidence of a value that has `most` by its place: less on a page that is a picture, where
 * its letters, its form or the sums of the page give reason to doubt.
 */
export function certaintyOf(
  page: Pick<PageText, "text" | "unsure"> | undefined,
  { span, type, labels }: ValuePlace,
  most: number,
): number {
  if (page?.unsure === undefined) return most;
  const written = page.text.slice(span.start, span.end);
  if (isUnsure(page.unsure, span)) return Math.min(most, ofUnsureWord);
  if (type === "money") return moneyCertainty(page.text, span, most);
  if (type !== "string") return most;
  // A letter between two digits is often a digit, and small letters begin no name.
  const isRest = /\d[OoIlSBZ]\d|^\p{Ll}/u.test(written);
  const isCut = /^\t\p{Ll}{3}/u.test(page.text.slice(span.end, span.end + 6));
  if (isRest || isCut) return Math.min(most, ofRest);
  const isWord = /\p{L}{3}/u.test(written) && !/\d/.test(written);
  if (/\p{L}\d\p{L}/u.test(written) || (isWord && ofOtherLanguage.test(written))) {
    return Math.min(most, withoutAccents);
  }
  const hasLost = isWord && [...labels].some((label) => isWithoutAccents(page.text, label));
  return hasLost ? Math.min(most, withoutAccents) : most;
}

function isUnsure(parts: readonly number[], { start, end }: Span): boolean {
  for (let at = 0; at < parts.length; at += 2) {
    const first = parts[at] ?? 0;
    if (first < end && first + (parts[at + 1] ?? 0) > start) return true;
  }
  return false;
}

/** True if a page has a label in letters without its accents, and never with them. */
function isWithoutAccents(text: string, label: string): boolean {
  const written = label.normalize("NFC");
  if (written === written.normalize("NFD").replaceAll(/\p{M}/gu, "")) return false;
  if (text.toLowerCase().includes(written.toLowerCase())) return false;
  return new RegExp(
    `(?<!\\p{L})${written.split(" ").map(lettersOf).join("[\\s.]+")}(?!\\p{L})`,
    "iu",
  ).test(text);
}

const amountWithDecimals =
  /(?<![\d.,])([-\u2212(]?)[^\d\s]{0,3}\s?(\d[\d.,'\u2019 \u00a0\u202f]{0,15}[.,]\d\d)(?![\d])/g;
const decimals = /[.,]\d\d(?!\d)/;
/** Amounts before a total of which it may be the sum. */
const summandsAtMost = 6;

function moneyCertainty(text: string, { start, end }: Span, most: number): number {
  const amounts = amountsOf(text);
  const written = text.slice(start, end);
  if (!decimals.test(written)) {
    return Math.min(most, amounts.length > 1 ? inOtherForm : unconfirmed);
  }
  const own = amounts.find((each) => each.at >= start && each.at < end);
  if (own === undefined) return Math.min(most, unconfirmed);
  const others = amounts.filter((each) => each !== own);
  const before = others.filter(({ at }) => at < start).slice(-summandsAtMost);
  const isConfirmed =
    others.some(({ cents }) => cents === own.cents) ||
    isSum(
      own.cents,
      before.map(({ cents }) => cents),
    );
  return isConfirmed ? most : Math.min(most, unconfirmed);
}

/** The amounts of a text with two decimals, without their signs, in hundredths. */
function amountsOf(text: string): { readonly at: number; readonly cents: number }[] {
  return Array.from(text.matchAll(amountWithDecimals), (match) => {
    const [, , digits = ""] = match;
    return { at: match.index, cents: Number(digits.replaceAll(/\D/g, "")) };
  }).filter(({ cents }) => cents > 0);
}

/** True if two or more of the numbers add up to the total, where some may be taken away. */
function isSum(total: number, numbers: readonly number[]): boolean {
  const sums = (rest: readonly number[], sum: number, used: number): boolean => {
    const [first, ...others] = rest;
    if (sum === total && used > 1) return true;
    if (first === undefined) return false;
    return (
      sums(others, sum, used) ||
      sums(others, sum + first, used + 1) ||
      (used > 0 && sums(others, sum - first, used + 1))
    );
  };
  return sums(numbers, 0, 0);
}
