import type { AggregateAnswer, AggregateInput, JsonObject, ObjectType } from "#client/index.ts";
import { barText } from "#lib/text/bar.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Column } from "../../kit/table/columns.ts";
import { groupingWords, scaleOf, withGaps, type Bucket, type Grouping } from "./grouping.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { parseFilter, type Properties } from "../../kit/filter/filter-language.ts";
import {
  referenceWords,
  headingOf,
  type RecordNameOf,
} from "../../kit/data-fields/record-columns.ts";
import { filterValue } from "../../kit/text/filter-value.ts";
import { clipText, textWidth } from "../../kit/text/text-layout.ts";
import { statusLook } from "../../kit/theme/theme.ts";
import { countWords, valueWords } from "../../kit/text/words.ts";

type Operation = AggregateInput["metrics"][string]["op"];

export interface Metric {
  readonly op: Operation;
  readonly field: string | undefined;
}

export interface Bar {
  /** The common value of its records; null for records without a value. */
  readonly group: unknown;
  readonly words: string;
  readonly value: number | undefined;
  readonly valueWords: string;
  /** Relative to the longest bar, between 0 and 1. */
  readonly length: number;
  readonly isNegative: boolean;
  /** The share of the total, if the figures add up to one. */
  readonly share: number | undefined;
  /** The condition of its records as typed, where it is a part of a scale. */
  readonly typed?: string | undefined;
  /** The lengths of its parts by the second property, in the order of `parts` of all bars. */
  readonly parts?: readonly number[] | undefined;
}

/** A grouping, and a second property that parts each bar. */
export interface BarQuery extends Grouping {
  readonly splitBy?: string | undefined;
}

const alias = "value";
/** The number of values in each group of an average, which groups of one bar share. */
const countAlias = "values";
const maximumGroups = 1_000;
/** Distinct values, or pairs of them, that become fewer bars. */
const maximumValues = 10_000;

/** The groups that a query reads at most. */
export function groupLimit({ step, splitBy }: BarQuery): number {
  return step === undefined && splitBy === undefined ? maximumGroups : maximumValues;
}

export const countOfRecords: Metric = { op: "count", field: undefined };

const operationWords: Readonly<Record<Operation, string>> = {
  count: "records with",
  sum: "sum of",
  avg: "average of",
  min: "smallest",
  max: "largest",
  count_distinct: "different values of",
};

export function metricWords({ op, field }: Metric): string {
  return field === undefined ? "records" : `${operationWords[op]} ${headingOf(field)}`;
}

/** The metrics of a request; groups of an average that share a bar need their counts. */
export function metricsBody(metric: Metric, step?: Grouping["step"]): AggregateInput["metrics"] {
  const { op, field } = metric;
  if (op !== "avg" || step === undefined || field === undefined) {
    return { [alias]: field === undefined ? { op } : { op, field } };
  }
  return { [alias]: { op: "sum", field }, [countAlias]: { op: "count", field } };
}

/** The figure that a query can have: different values can't be counted over several groups. */
export function metricFor(metric: Metric, { step, splitBy }: BarQuery): Metric {
  const isAdded = metric.op === "count" || metric.op === "sum";
  if (splitBy !== undefined && !isAdded) return countOfRecords;
  return step !== undefined && metric.op === "count_distinct" ? countOfRecords : metric;
}

const unlisted = new Set(["text", "object", "file", "geopoint", "geometry"]);

/** The properties that part each bar: those with few values. */
export function splittingFields(type: ObjectType, { field }: Grouping): string[] {
  return Object.entries(dataFields(type))
    .filter(([name, { type: kind }]) => name !== field && ["enum", "boolean"].includes(kind))
    .map(([name]) => name);
}

function operationsOf(type: string): readonly Operation[] {
  if (type === "integer" || type === "number") return ["sum", "avg", "min", "max"];
  if (type === "date" || type === "datetime") return ["min", "max"];
  return unlisted.has(type) ? ["count"] : ["count_distinct", "count"];
}

export function possibleMetrics(type: ObjectType): Metric[] {
  const metrics = Object.entries(dataFields(type)).flatMap(([field, property]) =>
    operationsOf(property.type).map((op): Metric => ({ op, field })),
  );
  return [countOfRecords, ...metrics];
}

function figureWords(value: unknown): string {
  if (typeof value !== "number") return valueWords(value);
  return Number.isInteger(value)
    ? countWords(value)
    : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** A group's name; an empty value, such as an empty list or a blank, as JSON. */
function groupWords(group: unknown): string {
  if (group === null) return "(none)";
  if (typeof group === "boolean") return group ? "yes" : "no";
  const words = valueWords(group);
  return words.trim() === "" ? JSON.stringify(group) : words;
}

/** The figures of one bar, of which an answer may have several groups. */
interface Tally {
  readonly group: unknown;
  readonly bucket: Bucket | undefined;
  value: unknown;
  count: number;
  readonly parts: Map<unknown, number>;
}

function isScalarFigure(value: unknown): value is string | number {
  return typeof value === "number" || typeof value === "string";
}

/** Two figures of one bar as one. */
function merged(op: Operation, before: unknown, figure: unknown): unknown {
  if (!isScalarFigure(before)) return figure;
  if (!isScalarFigure(figure)) return before;
  if (op === "min") return figure < before ? figure : before;
  if (op === "max") return figure > before ? figure : before;
  return Number(before) + Number(figure);
}

/** The bars of an answer before they are in order; one for each group or part of the scale. */
function talliesOf(answer: AggregateAnswer, query: BarQuery, metric: Metric): Tally[] {
  const { field, step, splitBy } = query;
  const values = answer.rows.map(({ group }) => ownMember(group, field) ?? null);
  const scale = step === undefined ? undefined : scaleOf({ field, step }, values);
  const tallies = new Map<unknown, Tally>();
  const tallyOf = (value: unknown, bucket: Bucket | undefined): Tally => {
    const group = scale === undefined ? value : (bucket?.start ?? null);
    const key = isScalar(group) ? group : JSON.stringify(group);
    const known = tallies.get(key);
    if (known !== undefined) return known;
    const tally = { group, bucket, value: undefined, count: 0, parts: new Map<unknown, number>() };
    tallies.set(key, tally);
    return tally;
  };
  for (const [index, { group, metrics }] of answer.rows.entries()) {
    const value = values[index];
    const tally = tallyOf(value, scale?.bucketOf(value));
    const figure = metrics[alias];
    tally.value = merged(metric.op, tally.value, figure);
    tally.count += Number(metrics[countAlias] ?? 0);
    if (splitBy === undefined || typeof figure !== "number") continue;
    const part = ownMember(group, splitBy) ?? null;
    tally.parts.set(part, (tally.parts.get(part) ?? 0) + figure);
  }
  if (scale === undefined) return [...tallies.values()];
  const buckets = [...tallies.values()].flatMap(({ bucket }) => bucket ?? []);
  const filled = withGaps(buckets, scale, maximumGroups).map((bucket) => tallyOf(null, bucket));
  const none = tallies.get(null);
  return none === undefined ? filled : [...filled, none];
}

function figureOf({ value, count }: Tally, { op }: Metric, step: Grouping["step"]): unknown {
  if (step === undefined) return value;
  if (op === "avg") return typeof value === "number" && count > 0 ? value / count : undefined;
  // A period without records has a sum, but neither a smallest nor a largest value.
  return value ?? (op === "count" || op === "sum" ? 0 : undefined);
}

/** The values of the second property, the one with the largest figures first. */
function partValues(tallies: readonly Tally[]): unknown[] {
  const totals = new Map<unknown, number>();
  for (const { parts } of tallies) {
    for (const [part, figure] of parts) totals.set(part, (totals.get(part) ?? 0) + figure);
  }
  return [...totals].toSorted(([, a], [, b]) => b - a).map(([part]) => part);
}

/** The bars of an answer, and the names of the parts that they consist of. */
export interface Bars {
  readonly bars: readonly Bar[];
  readonly parts: readonly string[];
}

/** The shades of the largest parts; the others share the last one. */
const shades = ["█", "▓", "▒", "░", "·"];

/** Parts of a scale in its order; other groups by their figures, those without one last. */
export function barsOf(answer: AggregateAnswer, query: BarQuery, metric: Metric): Bars {
  const { step, splitBy } = query;
  const tallies = talliesOf(answer, query, metric);
  const rows = tallies.map((tally) => ({ ...tally, figure: figureOf(tally, metric, step) }));
  const numbers = rows.flatMap(({ figure }) => (typeof figure === "number" ? [figure] : []));
  const longest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const total = numbers.reduce((sum, value) => sum + value, 0);
  const isWhole = numbers.every((value) => value >= 0);
  const isPart =
    (metric.op === "sum" || metric.op === "count") &&
    answer.truncated !== true &&
    total > 0 &&
    isWhole;
  const partOf = splitBy === undefined || !isWhole ? [] : partValues(tallies);
  const bars = rows.map(({ group, bucket, figure, parts }): Bar => {
    const value = typeof figure === "number" ? figure : undefined;
    const lengthOf = (amount: number) => (longest === 0 ? 0 : Math.abs(amount) / longest);
    return {
      group,
      words: bucket?.words ?? groupWords(group),
      value,
      valueWords: figureWords(figure),
      length: value === undefined ? 0 : lengthOf(value),
      isNegative: value !== undefined && value < 0,
      share: isPart && value !== undefined ? value / total : undefined,
      typed: bucket?.typed,
      ...(partOf.length === 0
        ? {}
        : { parts: partOf.map((part) => lengthOf(parts.get(part) ?? 0)) }),
    };
  });
  const sizeOf = ({ value }: Bar) => value ?? -Number.MAX_VALUE;
  return {
    bars: step === undefined ? bars.toSorted((a, b) => sizeOf(b) - sizeOf(a)) : bars,
    parts: partOf.map(groupWords),
  };
}

/** The parts of a bar with their shades, in columns that add up to those of the whole bar. */
export function stackText(parts: readonly number[], room: number): string {
  let [text, end] = ["", 0];
  for (const [index, part] of parts.entries()) {
    end += part;
    const columns = Math.round(end * room) - text.length;
    text += (shades[index] ?? shades.at(-1) ?? "").repeat(Math.max(0, columns));
  }
  return text;
}

/** The shades with the names of their parts; the last one is that of all others. */
export function legendOf(parts: readonly string[]): string {
  const own = parts.length > shades.length ? parts.slice(0, shades.length - 1) : parts;
  const names = own.length < parts.length ? [...own, "others"] : own;
  return names.map((name, index) => `${shades[index] ?? ""} ${name}`).join("  ");
}

const widestGroup = 36;
const narrowestBar = 8;

/** The columns of a table of bars that is `width` columns wide. */
export function barColumns(
  { bars, parts }: Bars,
  grouping: Grouping,
  metric: Metric,
  width: number,
  recordNameOf: RecordNameOf = () => undefined,
): Column<Bar>[] {
  const groupTitle = groupingWords(grouping);
  // Names of referenced records replace the bar's own text.
  const wordsOf = ({ group, words }: Bar) => {
    const named = referenceWords(group, recordNameOf);
    return named === valueWords(group) ? words : named;
  };
  const widest = (least: number, textOf: (bar: Bar) => string) =>
    bars.reduce((most, bar) => Math.max(most, textWidth(textOf(bar))), least);
  const groupWidth = Math.min(widestGroup, widest(groupTitle.length, wordsOf));
  const title = metricWords(metric);
  const valueWidth = widest(title.length, ({ valueWords: words }) => words);
  const shareWidth = 7;
  const gaps = 3 * 2 + 2;
  const room = Math.max(narrowestBar, width - groupWidth - valueWidth - shareWidth - gaps);
  return [
    {
      id: "group",
      title: groupTitle,
      value: wordsOf,
      priority: 0,
      pinned: true,
      minimum: 10,
      maximum: groupWidth,
    },
    {
      id: "bar",
      title: clipText(legendOf(parts), room),
      value: (bar) =>
        bar.parts === undefined ? barText(bar.length, room) : stackText(bar.parts, room),
      token: (bar) => {
        const { token } = statusLook(typeof bar.group === "string" ? bar.group : "");
        return bar.isNegative ? "bad" : token === "text" || token === "quiet" ? "focus" : token;
      },
      priority: 2,
      minimum: room,
      maximum: room,
    },
    {
      id: "value",
      title,
      align: "right",
      value: ({ valueWords: words }) => words,
      priority: 1,
      minimum: valueWidth,
      maximum: valueWidth,
    },
    {
      id: "share",
      title: "share",
      align: "right",
      value: ({ share }) => (share === undefined ? "" : `${(share * 100).toFixed(1)} %`),
      priority: 3,
      minimum: shareWidth,
    },
  ];
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** A filter narrowed to one bar: as typed text if possible, else as JSON. */
export function filterOfBar(
  text: string,
  properties: Properties,
  field: string,
  { group, typed: condition }: Pick<Bar, "group" | "typed">,
): string {
  const isJson = text.trimStart().startsWith("{");
  const added = condition ?? (isScalar(group) ? `${field}=${filterValue(group)}` : undefined);
  const whereOf = (typed: string) => {
    const parsed = parseFilter(typed, properties);
    // A value from before a change of the type may not parse.
    return "where" in parsed ? parsed.where : undefined;
  };
  const own: JsonObject =
    condition === undefined
      ? JSON.parse(JSON.stringify({ [field]: group }))
      : (whereOf(condition) ?? {});
  if (added !== undefined && !isJson) {
    const typed = `${text} ${added}`.trim();
    if (whereOf(typed) !== undefined) return typed;
  }
  const before = whereOf(text);
  return JSON.stringify(before === undefined ? own : { $and: [before, own] });
}
