import type { PageText } from "../../extraction/extracted-document.ts";
import { findValues, type FieldType } from "../find-values.ts";
import { fieldName, findLabelledValues } from "../labelled-values.ts";
import { certaintyOf } from "./certainty.ts";
import { findLabels, isLabel, plainLabel, type LabelledPlace } from "./find-label.ts";
import { findPattern, type PatternBudget, type Span } from "./find-pattern.ts";
import { clarityOf, isWhole, scalarOf, type ScalarType } from "./scalar-value.ts";
import type { CellSpan, PageTable } from "../../tables/page-table.ts";

/** A way to find a value in a text. */
export type TextRule =
  | { readonly method: "pattern"; readonly pattern: string; readonly after?: string | undefined }
  | { readonly method: "label-value"; readonly labels: readonly string[] }
  | {
      readonly method: "table-cell";
      readonly column: string;
      readonly row?: string | undefined;
    }
  | { readonly method: "form"; readonly form: FieldType };

/** A value with its place: `quote` is the text of the page at the span. */
export interface FoundScalar {
  readonly value: string | number | boolean;
  readonly confidence: number;
  readonly page: number;
  readonly span: Span;
  readonly quote: string;
  readonly method: TextRule["method"];
}

/** The limits and the knowledge that the rules of one document share. */
export interface RuleRun {
  readonly budget: PatternBudget;
  /** The labels of all fields, from {@link labelsOf}: none of them is a value. */
  readonly known?: ReadonlySet<string> | undefined;
}

/** The labels of rules, in the form in which a value is compared with them. */
export function labelsOf(rules: readonly { readonly method: string }[]): ReadonlySet<string> {
  const labels = rules.flatMap((rule) =>
    rule.method === "label-value" && "labels" in rule && Array.isArray(rule.labels)
      ? rule.labels.map((label) => plainLabel(String(label)))
      : [],
  );
  return new Set(labels);
}

const confidences: Readonly<Record<TextRule["method"], number>> = {
  pattern: 0.9,
  "label-value": 0.92,
  "table-cell": 0.88,
  form: 0.6,
};
/** A value of the wrong type, which a user must look at. */
const unfitConfidence = 0.3;
/** A text of another type counts only where its place is sure. */
const leastOfUnfit = 0.85;
/** A value that is wholly of its field's type, with only a space between it and its label. */
const wholeConfidence = 0.8;
const longestQuote = 500;

/**
 * The value of the first rule that finds one of the type. When the rules find only texts that are
 * not of the type, the first one with a low confidence.
 */
export function applyRules(
  pages: readonly PageText[],
  rules: readonly TextRule[],
  type: ScalarType,
  { budget, known }: RuleRun,
): FoundScalar | undefined {
  let unfit: FoundScalar | undefined;
  const labels = new Set([...labelsOf(rules), ...(known ?? [])]);
  for (const rule of rules) {
    for (const { page, text, found } of placesOf(pages, rule, { budget, known })) {
      const whole = text.slice(found.start, Math.min(found.end, found.start + longestQuote));
      const quote = leadingAmount(whole, type) ?? whole;
      const span = { start: found.start, end: found.start + quote.length };
      const value = scalarOf(quote, type);
      const { method } = rule;
      const sure = found.isUnmarked === true ? unmarkedConfidence(found, whole, type) : undefined;
      if (sure === 0) continue;
      if (value !== undefined) {
        const most = sure ?? found.confidence ?? confidences[method];
        const certain = certaintyOf(pageOf(pages, page), { span, type, labels }, most);
        const confidence = Math.min(certain, clarityOf(quote, type));
        return { value, confidence, page, span, quote, method };
      }
      if ((found.confidence ?? 1) < leastOfUnfit) continue;
      unfit ??= { value: quote, confidence: unfitConfidence, page, span, quote, method };
    }
  }
  return unfit;
}

function pageOf(pages: readonly PageText[], wanted: number): PageText | undefined {
  return pages.find(({ number }) => number === wanted);
}

/** A value after a label and a space counts if it is wholly of the type, or looks like a name. */
function unmarkedConfidence(
  { confidence = 0 }: FoundPlace["found"],
  text: string,
  type: ScalarType,
): number {
  if (type === "string") return confidence;
  return isWhole(text, type) ? wholeConfidence : 0;
}

/** The amount before further words: "£12.50 incl. VAT"; undefined where the text is one value. */
function leadingAmount(text: string, type: ScalarType): string | undefined {
  if (type !== "money" || scalarOf(text, type) !== undefined) return undefined;
  const first = findValues(text).find((value) => value.type === "money");
  return first?.start === 0 ? text.slice(0, first.end) : undefined;
}

interface FoundPlace {
  readonly page: number;
  readonly text: string;
  /** A missing confidence is that of the rule's method. */
  readonly found: Span & Partial<Omit<LabelledPlace, keyof Span>>;
}

/** The places that a rule finds, the best first; a cell's row may be on a later page. */
function* placesOf(
  pages: readonly PageText[],
  rule: TextRule,
  { budget, known }: RuleRun,
): Generator<FoundPlace, void, void> {
  if (rule.method === "table-cell") {
    const found = findTableCell(pages, rule);
    const text = pages.find(({ number }) => number === found?.page)?.text;
    if (found !== undefined && text !== undefined) yield { page: found.page, text, found };
    return;
  }
  if (rule.method === "label-value") {
    yield* labelledPlaces(pages, rule.labels, known);
    return;
  }
  for (const { number: page, text } of pages) {
    const found = spanOf(text, rule, budget);
    if (found !== undefined) yield { page, text, found };
  }
}

/** The values next to the labels as configured, then those of labels with the same meaning. */
function* labelledPlaces(
  pages: readonly PageText[],
  labels: readonly string[],
  known: ReadonlySet<string> | undefined,
): Generator<FoundPlace, void, void> {
  const places = pages.flatMap(({ number: page, text, tables }) =>
    findLabels(text, labels, { known, tables }).map((found) => ({ page, text, found })),
  );
  yield* places.toSorted((one, other) => other.found.confidence - one.found.confidence);
  if (places.length > 0) return;
  const names = new Set(labels.map(fieldName));
  for (const { number: page, text, tables } of pages) {
    const found = findLabelledValues(text, tables).find(({ name, start, end }) => {
      const written = text.slice(start, end);
      return names.has(name) && !isLabel(written) && known?.has(plainLabel(written)) !== true;
    });
    if (found !== undefined) yield { page, text, found: { start: found.start, end: found.end } };
  }
}

function spanOf(
  text: string,
  rule: Extract<TextRule, { readonly method: "pattern" | "form" }>,
  budget: PatternBudget,
): Span | undefined {
  switch (rule.method) {
    case "pattern":
      return findPattern(text, rule.pattern, { after: rule.after, budget });
    case "form":
      return findValues(text).find((value) => value.type === rule.form);
  }
}

interface Page {
  readonly number: number;
  readonly text: string;
  readonly tables?: readonly PageTable[];
}

const rowsAtMost = 2_000;

/**
 * The cell of a table by its column's heading and its row's label. Pages of formats without tables
 * have one in each run of lines whose cells are divided by tabs.
 */
export function findTableCell(pages: readonly Page[], query: CellQuery): CellPlace | undefined {
  return findCell(
    pages.map((page) => ({ ...page, tables: page.tables ?? [...tablesOf(page.text)] })),
    query,
  );
}

function* tablesOf(text: string): Generator<PageTable, void, void> {
  let rows: CellSpan[][] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.includes("\t") && rows.length < rowsAtMost) rows.push(cellsOf(line, start));
    else {
      if (rows.length > 1) yield { header: 0, rows };
      rows = [];
    }
    start += line.length + 1;
  }
  if (rows.length > 1) yield { header: 0, rows };
}

function cellsOf(line: string, lineStart: number): CellSpan[] {
  let at = lineStart;
  return line.split("\t").map((written) => {
    const start = at + written.length - written.trimStart().length;
    const end = Math.max(start, at + written.trimEnd().length);
    at += written.length + 1;
    return [start, end];
  });
}

export interface CellQuery {
  /** A heading of the column. */
  readonly column: string;
  /** The label of the row, which is its first cell with text; default: the first row. */
  readonly row?: string | undefined;
}

export interface CellPlace {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The cell below a heading, in the row with a label. Rows on a next page have the headings of the
 * page on which their table began.
 */
function findCell(
  pages: readonly Pick<PageText, "number" | "text" | "tables">[],
  { column, row }: CellQuery,
): CellPlace | undefined {
  const wanted = { column: plain(column), row: row === undefined ? undefined : plain(row) };
  /** The columns with the heading in the last table, for its rows on the next page. */
  let columns: readonly number[] = [];
  for (const { number: page, text, tables = [] } of pages) {
    const cellText = ([start, end]: CellSpan): string => plain(text.slice(start, end));
    for (const table of tables) {
      let body = table.rows;
      if (table.continues !== true) {
        const heading = headingWith(table, wanted.column, cellText);
        columns = heading?.columns ?? [];
        body = heading === undefined ? [] : table.rows.slice(heading.row + 1);
      }
      const found = cellIn(body, columns, wanted.row, cellText);
      if (found !== undefined) return { page, start: found[0], end: found[1] };
    }
  }
  return undefined;
}

/** The last heading row with the text; a table whose headings are unknown may have it anywhere. */
function headingWith(
  { rows, header }: PageTable,
  wanted: string,
  textOf: (cell: CellSpan) => string,
): { row: number; columns: number[] } | undefined {
  for (const [row, cells] of rows.entries()) {
    const columns = cells.flatMap((cell, index) => (textOf(cell) === wanted ? [index] : []));
    if (columns.length > 0) return { row: Math.max(row, header - 1), columns };
  }
  return undefined;
}

function cellIn(
  rows: readonly (readonly CellSpan[])[],
  columns: readonly number[],
  label: string | undefined,
  textOf: (cell: CellSpan) => string,
): CellSpan | undefined {
  for (const cells of rows) {
    if (label !== undefined) {
      const first = cells.map(textOf).find((text) => text !== "");
      if (first !== label) continue;
    }
    for (const column of columns) {
      const cell = cells[column];
      if (cell !== undefined && cell[1] > cell[0]) return cell;
    }
    // The first row alone counts if there is no label.
    if (label === undefined) return undefined;
  }
  return undefined;
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/[:*]+$/, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}
