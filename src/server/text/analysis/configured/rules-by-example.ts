import type { PageText } from "../../extraction/extracted-document.ts";
import { applyRules, labelsOf, type FoundScalar, type TextRule } from "./apply-rules.ts";
import { PatternBudget, type Span } from "./find-pattern.ts";
import type { ScalarType } from "./scalar-value.ts";

/** A document and the text in it that is the value of a field. */
export interface MarkedExample {
  readonly pages: readonly PageText[];
  readonly value: string;
}

/** The rules that find the marked values, and what they find in each example. */
export interface RulesOfExamples {
  readonly rules: readonly TextRule[];
  readonly found: readonly (FoundScalar | undefined)[];
}

const placesAtMost = 20;
const rulesAtMost = 5;
const longestLabel = 60;
const patternSteps = 20_000_000;
/** A pattern of fewer characters, or without a digit, is found anywhere. */
const leastPattern = 5;
const cellBreak = /\t| {3,}/;

/**
 * The rules by which all examples show their values: labels, the heading of a column with the row's
 * label, and the shape of the value. A rule that finds another text in some example is left out.
 * The text of a value is compared without regard to its spaces.
 */
export function rulesByExample(
  examples: readonly MarkedExample[],
  type: ScalarType,
): RulesOfExamples {
  const candidates = new Map<string, TextRule>();
  for (const { pages, value } of examples) {
    for (const rule of placesOf(pages, value).flatMap((place) => rulesAt(place))) {
      candidates.set(JSON.stringify(rule), rule);
    }
  }
  const shape = patternOf(examples.map(({ value }) => value));
  if (shape !== undefined) candidates.set(JSON.stringify(shape), shape);
  const judged = [...candidates.values()].map((rule) => ({
    rule,
    right: examples.flatMap((example, at) => (isRight(example, [rule], type) ? [at] : [])),
    isWrong: examples.some((example) => isWrong(example, [rule], type)),
  }));
  const taken = fewest(judged.filter(({ right, isWrong: wrong }) => right.length > 0 && !wrong));
  const rules = joined(taken);
  return { rules, found: examples.map((example) => valueOf(example, rules, type)) };
}

interface Place {
  readonly page: PageText;
  readonly span: Span;
}

/** The places of a text on pages, whatever its spaces and line breaks are. */
function placesOf(pages: readonly PageText[], value: string): Place[] {
  const words = value.trim().split(/\s+/);
  if (words[0] === undefined || words[0] === "") return [];
  const pattern = new RegExp(words.map((word) => RegExp.escape(word)).join("\\s+"), "gu");
  const places: Place[] = [];
  for (const page of pages) {
    for (const match of page.text.matchAll(pattern)) {
      if (places.length === placesAtMost) return places;
      places.push({ page, span: { start: match.index, end: match.index + match[0].length } });
    }
  }
  return places;
}

/** The rules that may find a value at its place: those of its cell, and of the labels around it. */
function rulesAt({ page, span }: Place): TextRule[] {
  const rules: TextRule[] = [];
  const before = page.text.slice(0, span.start).split("\n");
  const line = before.at(-1) ?? "";
  const cells = line.split(cellBreak);
  const inCell = labelIn(cells.at(-1) ?? "");
  const left = cells.slice(0, -1).findLast((cell) => cell.trim() !== "");
  const above = before.slice(0, -1).findLast((each) => each.trim() !== "") ?? "";
  const inColumn = above.split(cellBreak)[cells.length - 1];
  for (const label of [inCell, labelIn(left ?? ""), labelIn(inColumn ?? "")]) {
    if (label !== undefined) rules.push({ method: "label-value", labels: [label] });
  }
  for (const { rows, header } of page.tables ?? []) {
    const row = rows.findIndex((spans) => spans.some((cell) => has(cell, span)));
    const column = rows[row]?.findIndex((cell) => has(cell, span)) ?? -1;
    const textAt = (at: number, place: number): string => {
      const [start = 0, end = 0] = rows[at]?.[place] ?? [];
      return page.text.slice(start, end).trim();
    };
    const heading = labelIn(textAt(Math.max(0, header - 1), column));
    if (header === 0 || row < 0 || column < 0 || heading === undefined) continue;
    const first = labelIn(textAt(row, 0));
    if (first !== undefined && column > 0) {
      rules.push({ method: "table-cell", column: heading, row: first });
    }
    rules.push({ method: "table-cell", column: heading });
  }
  return rules;
}

function has([start, end]: readonly [number, number], span: Span): boolean {
  return start <= span.start && span.end <= end;
}

/** A text without the signs after it, if it can be a label. */
function labelIn(text: string): string | undefined {
  const label = text
    .trim()
    .replace(/[\s.:#\u2026]+$/u, "")
    .replaceAll(/\s+/g, " ");
  return /\p{L}/u.test(label) && label.length <= longestLabel ? label : undefined;
}

/** The shape that all values have: their equal letters and signs, and their numbers of digits. */
function patternOf(values: readonly string[]): TextRule | undefined {
  const shapes = values.map((value) =>
    (value.trim().match(/\d+|\p{L}+|[^\d\p{L}]/gu) ?? []).map((part) => ({
      part,
      kind: /^\d/.test(part) ? `[0-9]{${part.length}}` : undefined,
    })),
  );
  const [first = [], ...others] = shapes;
  const isShared = others.every(
    (shape) =>
      shape.length === first.length &&
      shape.every(({ part, kind }, at) => {
        const own = first[at];
        return kind === undefined ? part === own?.part : kind === own?.kind;
      }),
  );
  const pattern = first.map(({ part, kind }) => kind ?? escaped(part)).join("");
  const characters = first.reduce((sum, { part }) => sum + part.length, 0);
  const isTelling =
    characters >= leastPattern &&
    first.some(({ kind }) => kind !== undefined) &&
    first.some(({ part, kind }) => kind === undefined && /\p{L}/u.test(part));
  return values.length > 1 && isShared && isTelling ? { method: "pattern", pattern } : undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function valueOf(
  { pages }: MarkedExample,
  rules: readonly TextRule[],
  type: ScalarType,
): FoundScalar | undefined {
  const budget = new PatternBudget(patternSteps);
  return applyRules(pages, rules, type, { budget, known: labelsOf(rules) });
}

function isRight(example: MarkedExample, rules: readonly TextRule[], type: ScalarType): boolean {
  return plain(valueOf(example, rules, type)?.quote ?? "") === plain(example.value);
}

/** True if rules find a text that is not the marked one. */
function isWrong(example: MarkedExample, rules: readonly TextRule[], type: ScalarType): boolean {
  return valueOf(example, rules, type) !== undefined && !isRight(example, rules, type);
}

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

interface Judged {
  readonly rule: TextRule;
  /** The examples in which it finds the value. */
  readonly right: readonly number[];
}

/** A cell of a named row is the surest, the shape of a value the least sure. */
function rankOf(rule: TextRule): number {
  if (rule.method === "table-cell") return rule.row === undefined ? 2 : 0;
  return rule.method === "label-value" ? 1 : 3;
}

/** The fewest rules that find the values of all examples that some rule finds. */
function fewest(judged: readonly Judged[]): TextRule[] {
  const left = new Set(judged.flatMap(({ right }) => right));
  const taken: TextRule[] = [];
  const newly = ({ right }: Judged): number => right.filter((at) => left.has(at)).length;
  while (left.size > 0 && taken.length < rulesAtMost) {
    const [best] = judged.toSorted(
      (one, other) => newly(other) - newly(one) || rankOf(one.rule) - rankOf(other.rule),
    );
    if (best === undefined || newly(best) === 0) break;
    taken.push(best.rule);
    for (const at of best.right) left.delete(at);
  }
  return taken;
}

/** Labels of several rules in one rule. */
function joined(rules: readonly TextRule[]): TextRule[] {
  const labels = rules.flatMap((rule) => (rule.method === "label-value" ? rule.labels : []));
  const others = rules.filter(({ method }) => method !== "label-value");
  return labels.length === 0 ? others : [{ method: "label-value", labels }, ...others];
}
