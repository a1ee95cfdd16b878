import { cutAt } from "../cut-at-character.ts";
import type { PageText } from "../extraction/extracted-document.ts";
import { type FieldType, findValues, type FoundValue } from "./find-values.ts";
import { findLabelledValues } from "./labelled-values.ts";

/**
 * A value of a document, normalised by type, e.g. ISO 8601 for a date, `GBP 1250.00` for money.
 * `span` is its source in the page's text, in UTF-16 code units. `method`: by its label or form.
 */
export type AnalyzedField = {
  type: FieldType;
  value: string | number;
  confidence: number;
  page: number;
  span: { start: number; end: number };
  method: "label" | "pattern";
};

const fieldsAtMost = 64;
/** Values of one name: "date", "date2", "date3". */
const valuesPerNameAtMost = 3;
/** Only the beginning of a document is analysed, in code units. */
export const charactersLookedAt = 200_000;

/** Names of values without a label. */
const namesOfTypes: Partial<Readonly<Record<FieldType, string>>> = {
  reference: "reference",
  date: "date",
  money: "amount",
  email: "email",
  phone: "phone",
  postcode: "postcode",
  address: "address",
};

/**
 * Finds at most 64 fields of a document: labelled values ("Applicant: …", a row of two cells), then
 * values recognised by their form. Further values of a name get a number.
 */
export function analyzeFields(
  pages: readonly Omit<PageText, "words">[],
): Record<string, AnalyzedField> {
  const fields = new Map<string, AnalyzedField>();
  const seen = new Set<string>();
  let left = charactersLookedAt;
  const beginnings = pages.map((page) => {
    const text = page.text.slice(0, cutAt(page.text, Math.max(0, left)));
    left -= text.length;
    return { number: page.number, text, tables: page.tables };
  });

  function add(name: string, page: number, found: FoundValue, method: "label" | "pattern"): void {
    const { type, value, confidence, start, end } = found;
    const key = `${type} ${value}`;
    const isKnown = seen.has(key);
    seen.add(key);
    // Only a label can give a known value another name.
    if (method === "pattern" && isKnown) return;
    const free = freeName(name, value, fields);
    if (free === null || fields.size >= fieldsAtMost) return;
    const rounded = Math.round(confidence * 100) / 100;
    fields.set(free, { type, value, confidence: rounded, page, span: { start, end }, method });
  }

  const labelled = beginnings.map(({ text, tables }) => findLabelledValues(text, tables));
  for (const [index, { number }] of beginnings.entries()) {
    for (const found of labelled[index] ?? []) add(found.name, number, found, "label");
  }
  for (const [index, { number, text }] of beginnings.entries()) {
    for (const found of withoutPartsOf(labelled[index] ?? [], findValues(text))) {
      const name = namesOfTypes[found.type];
      if (name !== undefined) add(name, number, found, "pattern");
    }
  }
  return Object.fromEntries(fields);
}

/** Values outside labelled values, both in order, and any postcode or value in labelled text. */
function withoutPartsOf(
  labelled: readonly FoundValue[],
  values: readonly FoundValue[],
): FoundValue[] {
  const known = labelled.filter(({ type }) => type !== "text");
  let at = 0;
  return values.filter(({ type, start, end }) => {
    while ((known[at]?.end ?? Infinity) <= start) at += 1;
    const around = known[at];
    const isPart = around !== undefined && around.start <= start && end <= around.end;
    return type === "postcode" || !isPart;
  });
}

/** The name, or the name with the next number; null for a known value or too many values. */
function freeName(
  name: string,
  value: string | number,
  fields: ReadonlyMap<string, AnalyzedField>,
): string | null {
  for (let number = 1; number <= valuesPerNameAtMost; number += 1) {
    const numbered = number === 1 ? name : `${name}${number}`;
    const field = fields.get(numbered);
    if (field === undefined) return numbered;
    if (field.value === value) return null;
  }
  return null;
}
