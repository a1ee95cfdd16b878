import { findDates } from "../find-dates.ts";

const scalarTypes = ["string", "number", "integer", "boolean", "date", "money"] as const;
/** The type of a configured field. */
export type ScalarType = (typeof scalarTypes)[number];

export function isScalarType(type: unknown): type is ScalarType {
  return scalarTypes.some((known) => known === type);
}

const amount = /^-?(?:\d{1,3}(?:[ ,]\d{3})+|\d{1,15})(?:\.\d{1,6})?$/;
const currencies: Readonly<Record<string, string>> = { "£": "GBP", "€": "EUR", $: "USD" };

/** The text as a value of the type: ISO 8601 dates, `GBP 12.50`; undefined when it is none. */
export function scalarOf(text: string, type: ScalarType): string | number | boolean | undefined {
  const written = text.trim();
  if (written === "") return undefined;
  if (type === "string") return written;
  if (type === "date") return findDates(written).find(({ start }) => start === 0)?.value;
  if (type === "boolean") return booleanOf(written.toLowerCase());
  if (type === "money") return moneyOf(written);
  const number = numberOf(written.replace(/^[£€$] ?/, "").replace(/ ?%$/, ""));
  return type === "integer" && !Number.isInteger(number) ? undefined : number;
}

function booleanOf(word: string): boolean | undefined {
  if (/^(?:yes|y|true|x|✓|☒|☑)$/.test(word)) return true;
  return /^(?:no|n|false|☐)$/.test(word) ? false : undefined;
}

function numberOf(written: string): number | undefined {
  return amount.test(written) ? Number(written.replaceAll(/[ ,]/g, "")) : undefined;
}

function moneyOf(written: string): string | undefined {
  const match = /^([£€$]|[A-Z]{3})? ?([\d ,.-]+?) ?([A-Z]{3})?$/.exec(written);
  const [, before, digits = "", after] = match ?? [];
  const number = numberOf(digits);
  const currency = before === undefined ? after : (currencies[before] ?? before);
  if (number === undefined || currency === undefined) return undefined;
  return `${currency} ${number.toFixed(2)}`;
}
