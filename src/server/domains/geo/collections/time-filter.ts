import { faultAt, invalid } from "../../../kit/faults.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A span of time in milliseconds since 1970, both ends included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the test of a `datetime` parameter: a date, a time or two of them with a slash between. It
 * passes features whose property `datetime` meets that time, and those without a readable one.
 * Refuses a day that no calendar has, and an end before the start.
 */
export function timeFilter(text: string): (properties: string) => boolean {
  const [start = "", end] = text.split("/");
  const first = spanOf(start);
  const last = end === undefined ? first : spanOf(end);
  if (![start, end ?? ""].every(isOpenOrDay)) {
    throw invalid([faultAt("query", ["datetime"], "must be a time that exists")]);
  }
  const wanted = { from: first?.from ?? -Infinity, to: last?.to ?? Infinity };
  if (wanted.from > wanted.to) {
    throw invalid([faultAt("query", ["datetime"], "must begin before its end")]);
  }
  return (properties) => {
    const value: unknown = JSON.parse(properties);
    const own = typeof value === "object" && value !== null && "datetime" in value;
    const span = own && typeof value.datetime === "string" ? spanOf(value.datetime) : undefined;
    return span === undefined || (span.from <= wanted.to && span.to >= wanted.from);
  };
}

/** False for a day such as February 30, which the runtime takes for a day in March. */
function isOpenOrDay(text: string): boolean {
  if (text === "" || text === "..") return true;
  const day = text.slice(0, "2026-01-01".length);
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** A date is a whole day in UTC; undefined for an open end and for another text. */
function spanOf(text: string): Span | undefined {
  const from = Date.parse(text);
  if (Number.isNaN(from)) return undefined;
  return { from, to: /^\d{4}-\d\d-\d\d$/.test(text) ? from + dayMs - 1 : from };
}
