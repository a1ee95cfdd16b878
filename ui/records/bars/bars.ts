import type { AggregateAnswer, AggregateInput, JsonObject, ObjectType } from "#client/index.ts";
import { barText } from "#lib/text/bar.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Column } from "../../kit/table/columns.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { parseFilter, type Properties } from "../../kit/filter/filter-language.ts";
import {
  referenceWords,
  headingOf,
  type RecordNameOf,
} from "../../kit/data-fields/record-columns.ts";
import { filterValue } from "../../kit/text/filter-value.ts";
import { textWidth } from "../../kit/text/text-layout.ts";
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
}

const alias = "value";
export const maximumGroups = 1_000;

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

export function metricsBody(metric: Metric): AggregateInput["metrics"] {
  const { op, field } = metric;
  return { [alias]: field === undefined ? { op } : { op, field } };
}

const ungrouped = new Set(["text", "object", "file", "geopoint", "geometry"]);

/** Properties and links that can group records; those with few groups first. */
export function groupableFields(type: ObjectType): string[] {
  const rank = (kind: string) => (kind === "enum" ? 0 : kind === "boolean" ? 1 : 2);
  return Object.entries(dataFields(type))
    .filter(([, property]) => !ungrouped.has(property.type))
    .toSorted(([, a], [, b]) => rank(a.type) - rank(b.type))
    .map(([name]) => name);
}

function operationsOf(type: string): readonly Operation[] {
  if (type === "integer" || type === "number") return ["sum", "avg", "min", "max"];
  if (type === "date" || type === "datetime") return ["min", "max"];
  return ungrouped.has(type) ? ["count"] : ["count_distinct", "count"];
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
  const words = valueWords(group);
  return words.trim() === "" ? JSON.stringify(group) : words;
}

/** The groups of an answer, largest figure first, those without a figure last. */
export function barsOf(answer: AggregateAnswer, groupBy: string, metric: Metric): Bar[] {
  const rows = answer.rows.map(({ group, metrics }) => ({
    group: ownMember(group, groupBy) ?? null,
    figure: metrics[alias],
  }));
  const numbers = rows.flatMap(({ figure }) => (typeof figure === "number" ? [figure] : []));
  const longest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const total = numbers.reduce((sum, value) => sum + value, 0);
  const isPart =
    (metric.op === "sum" || metric.op === "count") &&
    answer.truncated !== true &&
    total > 0 &&
    numbers.every((value) => value >= 0);
  return rows
    .map(({ group, figure }): Bar => {
      const value = typeof figure === "number" ? figure : undefined;
      return {
        group,
        words: groupWords(group),
        value,
        valueWords: figureWords(figure),
        length: value === undefined || longest === 0 ? 0 : Math.abs(value) / longest,
        isNegative: value !== undefined && value < 0,
        share: isPart && value !== undefined ? value / total : undefined,
      };
    })
    .toSorted((a, b) => (b.value ?? -Number.MAX_VALUE) - (a.value ?? -Number.MAX_VALUE));
}

const widestGroup = 36;
const narrowestBar = 8;

/** The columns of a table of bars that is `width` columns wide. */
export function barColumns(
  bars: readonly Bar[],
  groupBy: string,
  metric: Metric,
  width: number,
  recordNameOf: RecordNameOf = () => undefined,
): Column<Bar>[] {
  // Names of referenced records replace the bar's own text.
  const wordsOf = ({ group, words }: Bar) => {
    const named = referenceWords(group, recordNameOf);
    return named === valueWords(group) ? words : named;
  };
  const widest = (least: number, textOf: (bar: Bar) => string) =>
    bars.reduce((most, bar) => Math.max(most, textWidth(textOf(bar))), least);
  const groupWidth = Math.min(widestGroup, widest(groupBy.length, wordsOf));
  const title = metricWords(metric);
  const valueWidth = widest(title.length, ({ valueWords: words }) => words);
  const shareWidth = 7;
  const gaps = 3 * 2 + 2;
  const room = Math.max(narrowestBar, width - groupWidth - valueWidth - shareWidth - gaps);
  return [
    {
      id: "group",
      title: headingOf(groupBy),
      value: wordsOf,
      priority: 0,
      pinned: true,
      minimum: 10,
      maximum: groupWidth,
    },
    {
      id: "bar",
      title: "",
      value: ({ length }) => barText(length, room),
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

/** A filter narrowed to one group: as typed text if possible, else as JSON. */
export function filterOfGroup(
  text: string,
  properties: Properties,
  groupBy: string,
  group: unknown,
): string {
  if (isScalar(group) && !text.trimStart().startsWith("{")) {
    const typed = `${text} ${groupBy}=${filterValue(group)}`.trim();
    // A value from before a change of the type may not parse.
    if ("where" in parseFilter(typed, properties)) return typed;
  }
  const parsed = parseFilter(text, properties);
  const before = "where" in parsed ? parsed.where : undefined;
  const own: JsonObject = JSON.parse(JSON.stringify({ [groupBy]: group }));
  return JSON.stringify(before === undefined ? own : { $and: [before, own] });
}
