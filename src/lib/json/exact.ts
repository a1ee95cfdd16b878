/** A double keeps 15 to 17 digits: a longer number in JSON would silently change (RFC 8259, 6). */

/** The fault of such a number; it completes a sentence that names the place. */
export const tooManyDigits = "has more digits than a number keeps: send it as text";

/** True if a double keeps a whole number, given in digits. */
export function keepsDigits(digits: string): boolean {
  const whole = /^[+-]?\d{16,}$/.test(digits) ? digits.replace(/^\+/, "") : undefined;
  if (whole === undefined) return true;
  const kept = Number(whole);
  // Compares with the digits that would be written back.
  return String(kept) === whole || (Number.isFinite(kept) && BigInt(kept) === BigInt(whole));
}

/** A double always keeps fifteen digits, so most texts need no closer look. */
const longNumber = /(?:^|[:[,])\s*-?\d{16}/;

/** The path of the first whole number that a double does not keep; undefined for none. */
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

/** The fault of a number that is too large for a double. */
export const outOfRange = "is a number out of range";

/** A number exceeds the range by an exponent or hundreds of digits; few texts have either. */
const greatNumber = /(?:^|[:[,])\s*-?(?:\d[\d.]*[eE]\+?\d|\d{300})/;

/** The path of the first number in `value`, the parsed `text`, that became infinite. */
export function infiniteNumberIn(
  text: string,
  value: unknown,
): readonly (string | number)[] | undefined {
  return greatNumber.test(text) ? pathOf(value, isInfinite) : undefined;
}

function isInfinite(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/** ECMAScript's JSON.parse source text access; TypeScript has no type for it yet. */
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
