/** Dates and numbers as people write them; a form is an example or a pattern that names one. */

export interface LocalTime {
  readonly date: string;
  /** The time as `09:30:00`; undefined if the form has no time of day. */
  readonly time: string | undefined;
}

/** Returns undefined for text that does not have the form. */
export type LocalReader<Value> = (text: string) => Value | undefined;

const tokens: Readonly<Record<string, string>> = {
  YYYY: "(?<year>\\d{4})",
  YY: "(?<year>\\d{2})",
  MM: "(?<month>\\d{1,2})",
  M: "(?<month>\\d{1,2})",
  DD: "(?<day>\\d{1,2})",
  D: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{1,2})",
  H: "(?<hour>\\d{1,2})",
  mm: "(?<minute>\\d{2})",
  ss: "(?<second>\\d{2})",
};

/** Years of two digits from this one on are of the last century, as in POSIX. */
const firstYearOf1900 = 69;

/** A reader of a form such as `DD.MM.YYYY` or `M/D/YY HH:mm`; undefined for another form. */
export function dateReader(form: string): LocalReader<LocalTime> | undefined {
  const parts = form.match(/YYYY|YY|MM|M|DD|D|HH|H|mm|ss|[^A-Za-z]/g) ?? [];
  const names = parts.filter((part) => part in tokens).map((part) => tokens[part]?.slice(3, 6));
  const isWhole = ["yea", "mon", "day"].every((name) => names.includes(name));
  if (parts.join("") !== form || !isWhole || new Set(names).size !== names.length) return undefined;
  // The number of digits is fixed in a form that has no separators.
  const isDense = /^[A-Za-z]+$/.test(form);
  const source = parts.map((part) => {
    const pattern = tokens[part];
    if (pattern === undefined) return RegExp.escape(part);
    return isDense ? pattern.replace("{1,2}", "{2}") : pattern;
  });
  const pattern = new RegExp(`^${source.join("")}$`);
  return (text) => {
    const found = pattern.exec(text.trim())?.groups;
    if (found === undefined) return undefined;
    const { year = "", month = "", day = "", hour, minute = "00", second = "00" } = found;
    const date = `${wholeYear(year)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    const time = hour === undefined ? undefined : `${hour.padStart(2, "0")}:${minute}:${second}`;
    return isReal(date, time) ? { date, time } : undefined;
  };
}

function wholeYear(digits: string): string {
  if (digits.length === 4) return digits;
  return `${Number(digits) < firstYearOf1900 ? "20" : "19"}${digits}`;
}

function isReal(date: string, time = "00:00:00"): boolean {
  const ms = Date.parse(`${date}T${time}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${date}T${time}`);
}

const currency = String.raw`(?:\p{Sc}|[A-Z]{3}|kr\.?|zł|Kč|Ft|lei|лв\.?)`;
const leadingSign = new RegExp(`^${currency} ?|^(?=[-(])`, "u");
const trailingSign = new RegExp(` ?${currency}$`, "u");

/**
 * A reader of numbers with the marks of an example such as `1.234,56`, `1,234.56`, `1 234,56`,
 * `1'234.56` or `1234,56`; undefined for another form. A sign of a currency is left out; `(5)` and
 * `5-` are negative, as accounts write them.
 */
export function numberReader(form: string): LocalReader<string> | undefined {
  const found = /^1([.,'’ ]?)234(?:([.,])56)?$/.exec(form.replace(/[\u00a0\u202f\u2009]/g, " "));
  if (found === null) return undefined;
  const [, group = "", decimal = ""] = found;
  if (group !== "" && group === decimal) return undefined;
  const marks = group === "'" || group === "’" ? "['’]" : RegExp.escape(group);
  const whole = group === "" ? String.raw`\d+` : String.raw`(?:\d{1,3}(?:${marks}\d{3})+|\d+)`;
  const rest = decimal === "" ? "" : String.raw`(?:${RegExp.escape(decimal)}(?<part>\d+))?`;
  const pattern = new RegExp(`^(?<whole>${whole})${rest}$`);
  return (text) => {
    const { digits, isNegative } = unsigned(text);
    const parts = pattern.exec(digits)?.groups;
    if (parts === undefined) return undefined;
    const integer = (parts["whole"] ?? "").replace(/\D/g, "");
    const fraction = parts["part"] === undefined ? "" : `.${parts["part"]}`;
    return `${isNegative ? "-" : ""}${integer}${fraction}`;
  };
}

function unsigned(text: string): { readonly digits: string; readonly isNegative: boolean } {
  const plain = text
    .replace(/[\s\u00a0\u202f\u2009]+/g, " ")
    .replaceAll("\u2212", "-")
    .trim();
  const bare = withoutCurrency(plain);
  const inner =
    /^\((.+)\)$/.exec(bare)?.[1] ?? /^- ?(.+)$/.exec(bare)?.[1] ?? /^(.+)-$/.exec(bare)?.[1];
  return {
    digits: withoutCurrency(inner ?? bare.replace(/^\+/, "")),
    isNegative: inner !== undefined,
  };
}

function withoutCurrency(text: string): string {
  return text.trim().replace(leadingSign, "").replace(trailingSign, "").trim();
}
