import { isJsonObject } from "#lib/json/value.ts";

/**
 * Version 1 of the order of texts: a text sorts by its folded form, and equal forms by the text
 * itself. Stored keys, index columns and cursors depend on it, so it never changes: another order
 * is another version with its own columns.
 */
export const textOrderVersion = 1;

/** The first characters of a text decide its order; the others do not count. */
export const orderedCharacters = 256;

/** Letters and signs that Unicode does not decompose. */
const replacements: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ŧ: "t",
  ς: "σ",
  "‘": "'",
  "’": "'",
  "‚": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‐": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "−": "-",
};
const replaced = new RegExp(`[${Object.keys(replacements).join("")}]`, "gu");

/** Marks above and below letters; the breve of "й" makes another letter. */
const marks = /(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f]/gu;

/** The form of a text without case and marks: that of "Äpfel" is "apfel". */
export function foldedText(text: string): string {
  const plain = firstOf(text).normalize("NFKD").toLowerCase().replace(marks, "").normalize("NFC");
  return firstOf(plain.replace(replaced, (sign) => replacements[sign] ?? sign));
}

/** The part of a text that decides its order. */
export function firstOf(text: string): string {
  if (text.length <= orderedCharacters) return text;
  const characters = Array.from(text.slice(0, 2 * orderedCharacters));
  return characters.slice(0, orderedCharacters).join("");
}

const beyondAscii = /[^\u0000-\u007f]/;

/**
 * The folded forms of all texts in a record's data (JSON text), by the texts' first characters.
 * Texts are left out whose form `lower` of a database gives, which changes ASCII letters only.
 */
export function foldedTexts(data: string): ReadonlyMap<string, string> {
  const folds = new Map<string, string>();
  if (beyondAscii.test(data)) addFolds(JSON.parse(data), folds);
  return folds;
}

function addFolds(value: unknown, into: Map<string, string>): void {
  if (isJsonObject(value)) for (const inner of Object.values(value)) addFolds(inner, into);
  if (typeof value !== "string") return;
  const text = firstOf(value);
  if (!beyondAscii.test(text)) return;
  const folded = foldedText(text);
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (folded !== lower) into.set(text, folded);
}
