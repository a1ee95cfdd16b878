import type { ObjectType } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";
import { countWords } from "../../kit/text/words.ts";

/** A part of a scale that makes one bar: a period of time, or a range of numbers. */
const timeSteps = ["month", "week", "year"] as const;
type Step = (typeof timeSteps)[number] | "range";

/** The property by whose values records are in groups, or by whose parts of a scale. */
export interface Grouping {
  readonly field: string;
  readonly step?: Step | undefined;
}

/** One bar of a scale; `undefined` for records without a value. */
export interface Bucket {
  /** The start, by which buckets are in order: a date, or a number. */
  readonly start: string | number;
  readonly words: string;
  /** The condition of its records, as it is typed into a filter. */
  readonly typed: string;
}

const ungrouped = new Set(["text", "object", "file", "geopoint", "geometry"]);

function stepsOf(kind: string): readonly Step[] {
  if (kind === "date" || kind === "datetime") return timeSteps;
  return kind === "integer" || kind === "number" ? ["range"] : [];
}

/** How properties and links can group records: those with few groups first, then by time. */
export function groupingsOf(type: ObjectType): Grouping[] {
  const rank = (kind: string) =>
    kind === "enum" ? 0 : kind === "boolean" ? 1 : stepsOf(kind).length > 1 ? 2 : 3;
  return Object.entries(dataFields(type))
    .filter(([, property]) => !ungrouped.has(property.type))
    .toSorted(([, a], [, b]) => rank(a.type) - rank(b.type))
    .flatMap(([field, { type: kind }]): Grouping[] => [
      ...stepsOf(kind).map((step) => ({ field, step })),
      { field },
    ]);
}

export function groupingId({ field, step }: Grouping): string {
  return step === undefined ? field : `${field} by ${step}`;
}

export function groupingWords({ field, step }: Grouping): string {
  return step === undefined ? headingOf(field) : `${headingOf(field)} by ${step}`;
}

const dayMs = 24 * 60 * 60_000;
const daysOfWeek = 7;

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The Monday of the week that has this day. */
function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return dayAfter(day, -((weekday + daysOfWeek - 1) % daysOfWeek));
}

type TimeStep = Exclude<Step, "range">;

function periodAt(step: TimeStep, day: string): string {
  if (step === "week") return mondayOf(day);
  return day.slice(0, step === "month" ? "2026-11".length : "2026".length);
}

function periodAfter(step: TimeStep, start: string): string {
  if (step === "week") return dayAfter(start, daysOfWeek);
  if (step === "year") return String(Number(start) + 1).padStart(4, "0");
  const [year = 0, month = 0] = start.split("-").map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, "2026-11".length);
}

function periodBucket(field: string, step: TimeStep, start: string): Bucket {
  if (step !== "week") return { start, words: start, typed: `${field}:${start}` };
  const typed = `${field}>=${start} ${field}<${periodAfter(step, start)}`;
  return { start, words: `from ${start}`, typed };
}

const isoDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;

/** Ranges of a scale of numbers, at most. */
const mostRanges = 16;

/** The least of 1, 2, 5, 10, 20 … (or of 0.1, 0.2 …) that gives at most 16 ranges. */
export function rangeWidth(least: number, most: number): number {
  const wanted = (most - least) / mostRanges;
  if (!(wanted > 0) || !Number.isFinite(wanted)) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const width = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= wanted);
  return width ?? 10 * power;
}

/** A bound without the digits that a computation with fractions adds. */
function bound(value: number): number {
  return Number(value.toPrecision(12));
}

/** Parts of a scale: the bucket of a value, and the one that follows another. */
export interface Scale {
  readonly bucketOf: (value: unknown) => Bucket | undefined;
  readonly after: (bucket: Bucket) => Bucket;
}

function scaleOfNumbers(field: string, values: readonly unknown[]): Scale {
  const numbers = values.filter((value) => typeof value === "number");
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  const width = rangeWidth(least, most);
  const bucketAt = (index: number): Bucket => {
    const [start, end] = [bound(index * width), bound((index + 1) * width)];
    const figure = (value: number) => (Number.isInteger(value) ? countWords(value) : String(value));
    return {
      start,
      words: `${figure(start)} – ${figure(end)}`,
      typed: `${field}>=${start} ${field}<${end}`,
    };
  };
  return {
    bucketOf: (value) =>
      typeof value === "number" ? bucketAt(Math.floor(bound(value / width))) : undefined,
    after: ({ start }) => bucketAt(Math.round(Number(start) / width) + 1),
  };
}

/** The parts of a grouping's scale, which the values of its property are in. */
export function scaleOf(
  { field, step }: Grouping & { readonly step: Step },
  values: readonly unknown[],
): Scale {
  if (step === "range") return scaleOfNumbers(field, values);
  return {
    bucketOf: (value) =>
      typeof value === "string" && isoDay.test(value)
        ? periodBucket(field, step, periodAt(step, value.slice(0, "2026-11-27".length)))
        : undefined,
    after: ({ start }) => periodBucket(field, step, periodAfter(step, String(start))),
  };
}

/** The buckets with those between them that have no record, in order; at most so many. */
export function withGaps(buckets: readonly Bucket[], { after }: Scale, most: number): Bucket[] {
  const known = buckets.toSorted((a, b) => (a.start < b.start ? -1 : 1));
  const whole: Bucket[] = [];
  for (const bucket of known) {
    for (let last = whole.at(-1); last !== undefined && last.start < bucket.start;) {
      const next = after(last);
      // Buckets that are too far apart stay without the ones between them.
      if (whole.length >= most) return known;
      if (next.start >= bucket.start) break;
      whole.push(next);
      last = next;
    }
    whole.push(bucket);
  }
  return whole;
}
