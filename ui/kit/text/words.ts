/** Values as text. All functions are pure; `nowMs` is in milliseconds since 1970. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `12s`, `2m`, `1h`, `3d`: one unit, rounded down. */
export function durationWords(durationMs: number): string {
  const positive = Math.max(0, durationMs);
  if (positive < minuteMs) return `${Math.floor(positive / 1000)}s`;
  if (positive < hourMs) return `${Math.floor(positive / minuteMs)}m`;
  if (positive < dayMs) return `${Math.floor(positive / hourMs)}h`;
  return `${Math.floor(positive / dayMs)}d`;
}

/** The age of an RFC 3339 time (`33m`), or its date after 30 days; another text as it is. */
export function ageWords(timestamp: string | null | undefined, nowMs: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "";
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  const passed = nowMs - at;
  if (passed > 30 * dayMs || passed < -minuteMs) return timestamp.slice(0, 10);
  if (passed < minuteMs) return "now";
  return durationWords(passed);
}

function localOffset(timeMs: number): number {
  return new Date(timeMs).getTimezoneOffset();
}

/** Local date and time: `2026-11-22 18:05`. */
export function localTimeWords(timeMs: number, offsetMinutes = localOffset(timeMs)): string {
  const shifted = new Date(timeMs - offsetMinutes * minuteMs);
  return shifted.toISOString().slice(0, "2026-11-22T18:05".length).replace("T", " ");
}

export function localDateWords(timeMs: number, offsetMinutes = localOffset(timeMs)): string {
  return localTimeWords(timeMs, offsetMinutes).slice(0, "2026-11-22".length);
}

/** Local time of day: `18:05:42`. */
export function clockWords(timeMs: number, offsetMinutes = localOffset(timeMs)): string {
  const shifted = new Date(timeMs - offsetMinutes * minuteMs);
  return shifted.toISOString().slice("2026-11-22T".length, "2026-11-22T18:05:42".length);
}

/** The distance of a date or an RFC 3339 time: `today`, `in 23d`, `5 months ago`; else empty. */
export function distanceWords(
  text: string,
  nowMs: number,
  offsetMinutes = localOffset(nowMs),
): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return "";
  // A date has no zone: it is compared with the local date.
  const away = at - (isDate ? Date.parse(localDateWords(nowMs, offsetMinutes)) : nowMs);
  if (isDate && away === 0) return "today";
  if (Math.abs(away) < minuteMs) return "now";
  const words = spanWords(Math.abs(away));
  return away < 0 ? `${words} ago` : `in ${words}`;
}

export type Urgency = "late" | "soon" | "later";

const soonMs = 7 * dayMs;

/** How far a due date is: `61d ▲` when it has passed, `in 3d !` a week before it, `in 22d`. */
export function dueWords(
  text: string,
  nowMs: number,
): { readonly words: string; readonly urgency: Urgency } {
  const words = distanceWords(text, nowMs);
  if (words.endsWith(" ago"))
    return { words: `${words.slice(0, -" ago".length)} ▲`, urgency: "late" };
  return words !== "" && Date.parse(text) - nowMs < soonMs
    ? { words: `${words} !`, urgency: "soon" }
    : { words, urgency: "later" };
}

const moneyFormats = new Map<string, Intl.NumberFormat | undefined>();

/** Shorter numbers have no separators: most of them are years, or numbers of houses and files. */
const leastSeparated = 10_000;
const separated = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/**
 * A number with its currency and thousands: `£1,751.50`. Without a currency it has thousands from
 * five digits on: `12,400`, `2026`.
 */
export function numberWords(amount: number, currency?: string): string {
  if (currency === undefined) {
    const text = String(amount);
    const isShort = Math.abs(amount) < leastSeparated || !/^-?[\d.]+$/.test(text);
    return isShort ? text : separated.format(amount);
  }
  if (!moneyFormats.has(currency)) moneyFormats.set(currency, moneyFormat(currency));
  return moneyFormats.get(currency)?.format(amount) ?? `${amount.toLocaleString("en")} ${currency}`;
}

/** Another deployment may name a currency that is not a code of ISO 4217. */
function moneyFormat(currency: string): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency });
  } catch {
    return undefined;
  }
}

function spanWords(spanMs: number): string {
  const days = spanMs / dayMs;
  if (days < 60) return durationWords(spanMs);
  return days < 730 ? `${Math.round(days / 30.44)} months` : `${Math.round(days / 365.25)} years`;
}

/** `512 B`, `2.1 MB`: decimal units, as file managers show them. */
export function sizeWords(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isFinite(bytes)) return "";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ""}`;
}

/** A count with separators: `1,204`. */
export function countWords(count: number): string {
  return count.toLocaleString("en");
}

export function rowWords(index: number, count: number): string {
  return `row ${countWords(Math.min(index + 1, count))}`;
}

/** A share as percent: `0.87` is `87 %`. */
export function shareWords(share: number | undefined): string {
  return share === undefined ? "" : `${Math.round(share * 100)} %`;
}

/** A share between 0 and 1 as a bar of `width` columns. */
export function progressBar(share: number, width: number): string {
  const filled = Math.round(Math.max(0, Math.min(1, share)) * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
}

/** The bar of a figure, as a share of the largest one: at least one column unless it is 0. */
export function shareBar(share: number, width: number): string {
  return "▇".repeat(share <= 0 ? 0 : Math.max(1, Math.round(share * width)));
}

/** A JSON value in one line for a table cell. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") {
    return String(value);
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    return value.map(valueWords).join(", ");
  }
  return JSON.stringify(value);
}

/** A value as a reader sees it: as `valueWords`, and a number with its thousands. */
export function readableWords(value: unknown): string {
  return typeof value === "number" ? numberWords(value) : valueWords(value);
}

/** A GeoJSON point as `53.4043 N, 2.9561 W`. */
export function pointWords(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("coordinates" in value)) return undefined;
  if (!Array.isArray(value.coordinates)) return undefined;
  const [longitude, latitude] = value.coordinates as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return undefined;
  const north = `${Math.abs(latitude)} ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${Math.abs(longitude)} ${longitude < 0 ? "W" : "E"}`;
}
