import { knownCurrency, readAmount } from "../amounts.ts";
import { findDates, typesetHyphens } from "../find-dates.ts";

const scalarTypes = ["string", "number", "integer", "boolean", "date", "money"] as const;
/** The type of a configured field. */
export type ScalarType = (typeof scalarTypes)[number];

export function isScalarType(type: unknown): type is ScalarType {
  return scalarTypes.some((known) => known === type);
}

/** The text as a value of the type: ISO 8601 dates, `GBP 12.50`; undefined when it is none. */
export function scalarOf(text: string, type: ScalarType): string | number | boolean | undefined {
  const written = text.trim();
  if (written === "") return undefined;
  if (type === "string") return written.replaceAll(typesetHyphens, "-");
  if (type === "date") return findDates(written).find(({ start }) => start === 0)?.value;
  if (type === "boolean") return booleanOf(written.toLowerCase());
  if (type === "money") return moneyOf(written);
  const { sign, digits } = partsOfMoney(written.replace(/\s?%$/, ""));
  if (sign !== "" && knownCurrency(sign) === undefined) return undefined;
  const number = readAmount(digits, notMoney)?.value;
  return type === "integer" && !Number.isInteger(number) ? undefined : number;
}

/** True if a text is a value of the type from its first character to its last one. */
export function isWhole(text: string, type: ScalarType): boolean {
  const written = text.trim();
  if (type !== "date") return scalarOf(written, type) !== undefined;
  return findDates(written).some(({ start, end }) => start === 0 && end === written.length);
}

function booleanOf(word: string): boolean | undefined {
  if (/^(?:yes|y|true|x|✓|☒|☑)$/.test(word)) return true;
  return /^(?:no|n|false|☐)$/.test(word) ? false : undefined;
}

const notMoney = { isMoney: false };
const doubtful = 0.6;

/** The most confidence of a value that may be meant in another way: 1 for a clear one. */
export function clarityOf(text: string, type: ScalarType): number {
  const written = text.trim();
  if (type === "date") return findDates(written).find(({ start }) => start === 0)?.confidence ?? 1;
  if (type === "string" || type === "boolean") return 1;
  const { digits } = partsOfMoney(written);
  return readAmount(digits, notMoney)?.isAmbiguous === true ? doubtful : 1;
}

function moneyOf(written: string): string | undefined {
  const { sign, digits } = partsOfMoney(written);
  const [currency, amount] = [knownCurrency(sign), readAmount(digits, { isMoney: true })];
  return amount === undefined || currency === undefined
    ? undefined
    : `${currency} ${amount.value.toFixed(2)}`;
}

const moneyParts =
  /^([-\u2212(]?)\s?([^\d\s-]*)\s{0,3}([-\u2212]?\d.*?)\s{0,3}([^\d\s.,)\-\u2013\u2014\u2212]*)(\)?)$/;

/** The sign or code before or after an amount, and the amount with its minus or parentheses. */
function partsOfMoney(written: string): { readonly sign: string; readonly digits: string } {
  const [, open = "", before = "", digits = "", after = "", close = ""] =
    moneyParts.exec(written) ?? [];
  return { sign: `${before}${after}`, digits: `${open}${digits}${close}` };
}
