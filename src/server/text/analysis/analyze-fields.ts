import { cutAt } from "../cut-at-character.ts";
import { findLabelledValues } from "./labelled-values.ts";
import { type FieldType, findValues, type FoundValue } from "./find-values.ts";

/** A page's text as it is stored; `number` counts from 1. */
type Page = { number: number; text: string };

/**
 * A value read from a document. `value` is normalised by type: a date is ISO 8601, money is a
 * currency code and an amount (`GBP 1250.00`), a number is a number, all else is a string. `span`
 * gives its verbatim source in the text of `page`, in UTF-16 code units. `method` says whether a
 * label named it or only its form gave it away.
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
const valuesOfANameAtMost = 3;
/**
 * How much of a document is looked at, in code units: what it is about stands early, and the cost
 * has a bound.
 */
export const charactersLookedAt = 200_000;

/** What a value that no label names is called. */
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
 * Reads the fields of a document: first what stands behind a label ("Applicant: …", a row of two
 * cells), then values that their form gives away (references, dates, amounts, e-mail addresses,
 * phone numbers, postcodes, addresses). The first value of a name has the bare name, other values
 * number it. At most 64 fields.
 */
export function analyzeFields(pages: readonly Page[]): Record<string, AnalyzedField> {
  const fields = new Map<string, AnalyzedField>();
  const seen = new Set<string>();
  let left = charactersLookedAt;
  const looked = pages.map((page) => {
    const text = page.text.slice(0, cutAt(page.text, Math.max(0, left)));
    left -= text.length;
    return { number: page.number, text };
  });

  function add(name: string, page: number, found: FoundValue, method: "label" | "pattern"): void {
    const { type, value, confidence, start, end } = found;
    const key = `${type} ${value}`;
    const isKnown = seen.has(key);
    seen.add(key);
    // A label may give a known date a second meaning; its mere form adds nothing to what is known.
    if (method === "pattern" && isKnown) return;
    const free = freeName(name, value, fields);
    if (free === null || fields.size >= fieldsAtMost) return;
    fields.set(free, {
      type,
      value,
      confidence: round(confidence),
      page,
      span: { start, end },
      method,
    });
  }

  const labelled = looked.map(({ text }) => findLabelledValues(text));
  for (const [index, { number }] of looked.entries()) {
    for (const found of labelled[index] ?? []) add(found.name, number, found, "label");
  }
  for (const [index, { number, text }] of looked.entries()) {
    for (const found of withoutPartsOf(labelled[index] ?? [], findValues(text))) {
      const name = namesOfTypes[found.type];
      if (name !== undefined) add(name, number, found, "pattern");
    }
  }
  return Object.fromEntries(fields);
}

/**
 * Values that are no part of what a label names, both in order. The postcode of a labelled address
 * is worth a field of its own, and so is all that stands in a text of which no more is known.
 */
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

/**
 * The name, or the name with the next number; null when it has this value already or enough of
 * them.
 */
function freeName(
  name: string,
  value: string | number,
  fields: ReadonlyMap<string, AnalyzedField>,
): string | null {
  for (let number = 1; number <= valuesOfANameAtMost; number += 1) {
    const numbered = number === 1 ? name : `${name}${number}`;
    const field = fields.get(numbered);
    if (field === undefined) return numbered;
    if (field.value === value) return null;
  }
  return null;
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
