/**
 * JSON's numbers have any number of digits, ours (IEEE 754 doubles) keep fifteen to seventeen: an ID
 * of another system, written as a number, would silently become a neighbouring one (RFC 8259, 6).
 */

/** What is said of such a number, as the rest of a sentence that its place begins. */
export const tooManyDigits = "has more digits than a number keeps: send it as text";

/** Whether a whole number in digits is the one that is kept; others are rounded as all know them. */
export function keepsDigits(digits: string): boolean {
  const whole = /^[+-]?\d{16,}$/.test(digits) ? digits.replace(/^\+/, "") : undefined;
  if (whole === undefined) return true;
  const kept = Number(whole);
  // The digits that would come back; a power of two may be written out in full.
  return String(kept) === whole || (Number.isFinite(kept) && BigInt(kept) === BigInt(whole));
}

/** Fifteen digits are always kept. Nearly every text is done with here. */
const longNumber = /(?:^|[:[,])\s*-?\d{16}/;

/** The names on the way to the first whole number that would not be kept; undefined for none. */
export function inexactNumberIn(text: string): readonly (string | number)[] | undefined {
  if (!longNumber.test(text)) return undefined;
  let isFound = false;
  const marked: unknown = parseWithSource(text, (_name, value, { source }) => {
    if (typeof value !== "number" || source === undefined || keepsDigits(source)) return value;
    isFound = true;
    return mark;
  });
  return isFound ? pathOf(marked, (member) => member === mark) : undefined;
}

/** What is said of a number that no double comes near, as the rest of a sentence. */
export const outOfRange = "is a number out of range";

/** Only a power of ten or hundreds of digits lead there. Nearly every text is done with here. */
const greatNumber = /(?:^|[:[,])\s*-?(?:\d[\d.]*[eE]\+?\d|\d{300})/;

/**
 * The names on the way to the first number of `value`, which is `text` parsed, that became infinite:
 * written again it would be null, which says something else.
 */
export function infiniteNumberIn(
  text: string,
  value: unknown,
): readonly (string | number)[] | undefined {
  return greatNumber.test(text) ? pathOf(value, isInfinite) : undefined;
}

function isInfinite(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/** ECMAScript's JSON.parse source text access, which TypeScript does not know yet. */
const parseWithSource: (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown = JSON.parse as never;

const mark = Symbol("inexact number");

function pathOf(
  value: unknown,
  isWanted: (value: unknown) => boolean,
): (string | number)[] | undefined {
  if (isWanted(value)) return [];
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const path = pathOf(member, isWanted);
    if (path !== undefined) return [isList ? Number(name) : name, ...path];
  }
  return undefined;
}
