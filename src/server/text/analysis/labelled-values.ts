import { ownMember } from "#lib/own-member.ts";
import type { PageTable } from "../tables/page-table.ts";
import { readAmount } from "./amounts.ts";
import { type FieldType, findValues, type FoundValue } from "./find-values.ts";

/** The value of a "label: value" line with its field's name. */
export type LabelledValue = FoundValue & { name: string };

/** A label has at most five words. A row with more than two cells has no label. */
const labelWord = "[\\p{L}\\p{N}&'’()/-]+";
const labelledLine = new RegExp(
  `^[ \\t]*(\\p{L}[\\p{L}\\p{N}'’()/-]*(?: ${labelWord}){0,4}) ?(?::[ \\t]+|\\t)` +
    "([^\\t\\n]{1,300})$",
  "gmu",
);

/** Labels with the same meaning. Other labels become the name: "Decision due" is decisionDue. */
const sameAs: Readonly<Record<string, string>> = {
  "application reference": "reference",
  "application number": "reference",
  "application no": "reference",
  "planning reference": "reference",
  "case reference": "reference",
  "reference number": "reference",
  ref: "reference",
  "our ref": "reference",
  "our reference": "reference",
  "your ref": "yourReference",
  "e-mail": "email",
  "email address": "email",
  "e-mail address": "email",
  telephone: "phone",
  tel: "phone",
  "telephone number": "phone",
  "phone number": "phone",
  mobile: "phone",
  "name of applicant": "applicant",
  "applicant name": "applicant",
  "name of agent": "agent",
  "agent name": "agent",
  "invoice no": "invoiceNumber",
  "licence no": "licenceNumber",
};

function anyOf(words: string): RegExp {
  return new RegExp(`\\b(?:${words})\\b`, "i");
}

const namesOfPeople = anyOf(
  "applicant|agent|contact|officer|owner|holder|signed|clerk|chair|author|from|to|" +
    "prepared by|occupier|landlord|tenant|customer|supplier|contractor|licensee|architect|name|" +
    "manager",
);
const organisation = anyOf(
  "ltd|limited|llp|plc|inc|gmbh|council|society|association|trust|club|company|authority|" +
    "agency|committee|department|team|partners|architects|consultants|university|school|church|" +
    "group|services|board",
);
const headingLabel =
  /^(?:section|part|chapter|table|figure|fig|appendix|annex|item|step|note|page)\b/i;
const title = "(?:Mr|Mrs|Ms|Miss|Dr|Prof|Cllr|Councillor|Rev|Sir|Dame)\\.? ";
const nameWord = "\\p{Lu}[\\p{L}.'’-]*";
const personName = new RegExp(
  `^(?:${title})?${nameWord}(?: (?:${nameWord}|de|van|von|der|la|al)){1,4}`,
  "u",
);

/** Finds the labelled values of a page, in order. Spans exclude the label. */
export function findLabelledValues(
  text: string,
  tables: readonly PageTable[] = [],
): LabelledValue[] {
  const found: LabelledValue[] = [];
  const rows = rowsOfSeveralLines(text, tables);
  for (const match of text.matchAll(labelledLine)) {
    const [line, label = "", written = ""] = match;
    // The cells on a line of such a row may be lines of two cells.
    const isOfTwoCells = line
      .slice(0, line.length - written.length)
      .trimStart()
      .includes("\t");
    if (isOfTwoCells && rows.some(({ start, end }) => start <= match.index && match.index < end)) {
      continue;
    }
    const value = written.trim();
    const name = fieldName(label);
    if (value === "" || name === "" || isHeading(label)) continue;
    const start = match.index + line.length - written.length + written.indexOf(value);
    found.push({ name, ...typedValue(label, value, start) });
  }
  return found;
}

/** Rows of tables that have a cell of several lines. */
function rowsOfSeveralLines(text: string, tables: readonly PageTable[]) {
  return tables.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const hasLines = row.some(([start, end]) => text.slice(start, end).includes("\n"));
      const start = text.lastIndexOf("\n", Math.max(0, (row[0]?.[0] ?? 0) - 1)) + 1;
      return hasLines ? [{ start, end: Math.max(...row.map(([, end]) => end)) }] : [];
    }),
  );
}

/** "Section 1: The applicant" and "Northwind Council: minutes" are headings, not labels. */
function isHeading(label: string): boolean {
  return headingLabel.test(label) || organisation.test(label);
}

/** The field's name in camel case: "Date of decision" gives dateOfDecision. */
export function fieldName(label: string): string {
  const plain = label.toLowerCase().replace(/[.’']/g, "").trim();
  const same = ownMember(sameAs, plain);
  if (same !== undefined) return same;
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

/** The value with the type of its form, else of its label, else text. */
function typedValue(label: string, text: string, offset: number): FoundValue {
  const whole = { start: offset, end: offset + text.length };
  if (/\baddress\b/i.test(label) && !text.includes("@")) {
    return { type: "address", ...whole, value: text, confidence: 0.9 };
  }
  const first = findValues(text).find((each) => each.start === 0);
  const isWhole = first !== undefined && first.end === text.length;
  // "18 December 2026 (extended)" is a date; "£70 to £180" is more than one amount.
  const leads = first !== undefined && first.type === "date";
  if (first !== undefined && (isWhole || leads)) {
    const confidence = Math.min(0.98, first.confidence + (isWhole ? 0.05 : 0));
    return { ...first, start: offset, end: offset + first.end, confidence };
  }
  const number = /\d[)\u2212-]$/.test(text) ? undefined : readAmount(text, { isMoney: false });
  if (number !== undefined) {
    const confidence = number.isAmbiguous ? 0.6 : 0.9;
    return { type: "number", ...whole, value: number.value, confidence };
  }
  if (namesOfPeople.test(label)) return nameValue(text, offset);
  return { type: "text", ...whole, value: text, confidence: 0.7 };
}

function nameValue(text: string, offset: number): FoundValue {
  const whole = (type: FieldType, confidence: number): FoundValue => {
    return { type, start: offset, end: offset + text.length, value: text, confidence };
  };
  if (organisation.test(text) && !text.includes(",")) return whole("organisation", 0.85);
  const person = personName.exec(text)?.[0];
  if (person === undefined) return whole("text", 0.7);
  const rest = text.slice(person.length);
  // "Elin Marsh, Marsh & Field Architects" and "Priya Nair <priya@…>" begin with the person.
  if (rest !== "" && !/^\s*[,(<;]/.test(rest)) return whole("text", 0.7);
  const end = offset + person.length;
  return { type: "person", start: offset, end, value: person, confidence: 0.85 };
}
