import type { JsonObject } from "#client/index.ts";
import { propertyAt as declaredAt, valueProperty } from "#contract/object-types/walk.ts";
import { ownMember } from "#lib/own-member.ts";
import { keepsDigits } from "#lib/json/exact.ts";
import { FilterProblem, termsOf, type Place, type Term, type TermValue } from "./filter-terms.ts";
import { jsonReading } from "#lib/json/loss.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { jsonFault } from "../text/json-fault.ts";
import { dayOf } from "./day-words.ts";

/** The `where` of a typed filter, or its problem and the place of it. */
type ParsedFilter =
  | { readonly where: JsonObject | undefined }
  | { readonly problem: string; readonly at: Place };

interface FilterProperty {
  readonly type: string;
  readonly meaning?: unknown;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly items?: FilterProperty | undefined;
  readonly properties?: Properties | undefined;
}
export type Properties = Readonly<Record<string, FilterProperty>>;

/** The placeholder of an empty filter line. */
export const filterExample = 'status:open  amount>1000  "a text"  or {"status":"open"}';

export const systemProperties: Properties = {
  id: { type: "string" },
  version: { type: "integer" },
  created_at: { type: "datetime" },
  updated_at: { type: "datetime" },
  created_by: { type: "string" },
  updated_by: { type: "string" },
};

const fileProperties: Properties = {
  filename: { type: "string" },
  contentType: { type: "string" },
  size: { type: "integer" },
  sha256: { type: "string" },
};

const comparisons: Readonly<Record<string, string>> = {
  ">=": "$gte",
  "<=": "$lte",
  ">": "$gt",
  "<": "$lt",
};

type Scalar = string | number | boolean | null;

const namedInProblems = 8;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The property of a dotted name. Lists are transparent, as on the platform. */
function propertyAt(
  name: string,
  properties: Properties,
  others: Properties,
): FilterProperty | undefined {
  const direct = ownMember(properties, name) ?? ownMember(others, name);
  if (direct !== undefined) return direct;
  const path = name.split(".");
  const declared = declaredAt(properties, path, "lists");
  if (declared !== undefined) return declared;
  if (ownMember(properties, path[0] ?? "") === undefined) return undefined;
  const holder = declaredAt(properties, path.slice(0, -1), "lists");
  const value = holder && valueProperty(holder);
  if (holder !== undefined && value === undefined) return holder;
  // Data without a definition can be filtered too.
  const members = value?.type === "file" ? fileProperties : {};
  return ownMember(members, path.at(-1) ?? "") ?? { type: "object" };
}

const isText = (type: string) => ["string", "text", "email", "url"].includes(type);
const isDate = (type: string) => type === "datetime" || type === "date";

function numberOf(name: string, text: string, at: Place): number {
  const number = Number(text);
  if (!decimal.test(text) || !Number.isFinite(number)) {
    throw new FilterProblem(`${name} must be a number, not "${text}"`, at);
  }
  if (keepsDigits(text)) return number;
  // The rounded number would find other records.
  throw new FilterProblem(`"${text}" has more digits than a number keeps`, at);
}

/** A date or the start of one, with an optional time in any form. */
const dateStart =
  /^(?:\d{1,4}|\d{4}-(?:0[1-9]?|1[0-2]?)?|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]?|[12]\d?|3[01]?)?(?:(?<=-\d\d)[T ].*)?)$/i;

function dateOf(name: string, text: string, at: Place): string {
  const day = dayOf(text);
  if (day !== undefined) return day;
  if (dateStart.test(text)) return text;
  throw new FilterProblem(
    `${name} must be a date such as 2026-11-21, 2026-11 or today+7, not "${text}"`,
    at,
  );
}

function converted(
  name: string,
  property: FilterProperty,
  { text, quoted, at }: TermValue,
): Scalar {
  if (text === "null" && !quoted) return null;
  const { type } = property.type === "array" ? (property.items ?? property) : property;
  if (type === "integer" || type === "number") return numberOf(name, text, at);
  if (type === "boolean") {
    if (text === "true" || text === "yes") return true;
    if (text === "false" || text === "no") return false;
    throw new FilterProblem(`${name} must be true or false, not "${text}"`, at);
  }
  if (type === "enum" && property.enum !== undefined) {
    const member = property.enum.find((each) => String(each) === text);
    if (member !== undefined) return member;
    const known = property.enum.slice(0, namedInProblems).join(", ");
    throw new FilterProblem(`${name} must be one of ${known}, not "${text}"`, at);
  }
  return isDate(type) ? dateOf(name, text, at) : text;
}

/** Matches texts that contain this one, in any case. */
function containing(text: string): JsonObject {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), $options: "i" };
}

/** The day, month or year after a date; `undefined` for a time. */
function periodAfter(date: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  if (month === undefined) return String(Number(year) + 1).padStart(4, "0");
  const next =
    day === undefined
      ? Date.UTC(Number(year), Number(month), 1)
      : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  return new Date(next).toISOString().slice(0, date.length);
}

/** A comparison with a whole day, month or year: `<=2026-11` includes the last day. */
function comparedDate(operator: string, text: string): JsonObject {
  const next = periodAfter(text);
  if (next !== undefined && operator === "<=") return { $lt: next };
  if (next !== undefined && operator === ">") return { $gte: next };
  return { [comparisons[operator] ?? "$eq"]: text };
}

/** `10..20`, `2026-01..2026-03` or `10..`, including both ends. */
function range(name: string, type: string, value: TermValue): JsonObject | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(value.text) ?? [];
  if (value.quoted || from === undefined || to === undefined || from + to === "") return undefined;
  if (isDate(type)) {
    const end = to === "" ? {} : comparedDate("<=", dateOf(name, to, value.at));
    const start = from === "" ? {} : { $gte: dateOf(name, from, value.at) };
    return { [name]: { ...start, ...end } };
  }
  const bound = (text: string, operator: string): JsonObject =>
    text === "" ? {} : { [operator]: numberOf(name, text, value.at) };
  return { [name]: { ...bound(from, "$gte"), ...bound(to, "$lte") } };
}

/** The condition of one value after `:`: contains, begins with or equals. */
function matching(name: string, property: FilterProperty, value: TermValue): JsonObject {
  const { type } = property;
  const { text, quoted } = value;
  if (!quoted && text === "*") return { [name]: { $ne: null } };
  if (!quoted && text === "null") return { [name]: null };
  if (isText(type)) return { [name]: containing(text) };
  const hasOrder = isDate(type) || type === "integer" || type === "number";
  const between = hasOrder ? range(name, type, value) : undefined;
  if (between !== undefined) return between;
  if (isDate(type)) return { [name]: { $startsWith: dateOf(name, text, value.at) } };
  return { [name]: converted(name, property, value) };
}

function anyOf(conditions: readonly JsonObject[]): JsonObject {
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { $or: [...conditions] };
}

/** The name of a property that a term names by its meaning, such as `due`. */
function meantName(name: string, properties: Properties): string {
  if (!["due", "status", "title"].includes(name) || Object.hasOwn(properties, name)) return name;
  return Object.keys(properties).find((each) => properties[each]?.meaning === name) ?? name;
}

function condition(
  term: Term,
  typed: string,
  properties: Properties,
  others: Properties,
): JsonObject {
  const name = meantName(typed, properties);
  const property = propertyAt(name, properties, others);
  if (property === undefined) {
    const names = Object.keys(properties);
    const more = names.length > namedInProblems ? ", …" : "";
    const known = names.slice(0, namedInProblems).join(", ");
    throw new FilterProblem(`there is no field "${name}"; fields are ${known}${more}`, term.nameAt);
  }
  const { operator, values } = term;
  const [first] = values;
  if (first === undefined) return {};
  const last = values.at(-1) ?? first;
  const all = { start: first.at.start, end: last.at.end };
  const comparison = comparisons[operator];
  if (comparison !== undefined) {
    if (values.length > 1) throw new FilterProblem(`${operator} takes one value`, all);
    const bound = converted(name, property, first);
    const isPeriod = isDate(property.type) && typeof bound === "string";
    return { [name]: isPeriod ? comparedDate(operator, bound) : { [comparison]: bound } };
  }
  if (operator === ":") return anyOf(values.map((value) => matching(name, property, value)));
  const exact = values.map((value) => converted(name, property, value));
  if (operator === "!=")
    return { [name]: exact.length === 1 ? { $ne: exact[0] ?? null } : { $nin: exact } };
  return { [name]: exact.length === 1 ? (exact[0] ?? null) : { $in: exact } };
}

function anywhere({ text, at }: TermValue, properties: Properties): JsonObject {
  const names = Object.entries(properties).flatMap(([name, { type }]) =>
    isText(type) || type === "enum" ? [name] : [],
  );
  if (names.length === 0) {
    throw new FilterProblem("this type has no text field; use field:value", at);
  }
  return { $or: names.map((name) => ({ [name]: containing(text) })) };
}

function termCondition(term: Term, properties: Properties, others: Properties): JsonObject {
  if (term.name !== undefined) {
    const positive = condition(term, term.name, properties, others);
    return term.negated ? { $nor: [positive] } : positive;
  }
  const [word] = term.values;
  return word === undefined ? {} : anywhere(word, properties);
}

function parseJson(text: string): ParsedFilter {
  const { value, loss } = jsonReading(text);
  if (loss !== undefined) {
    const problem = `${loss.path.join(".")} ${loss.detail}`.trim();
    return { problem, at: { start: 0, end: text.length } };
  }
  if (isJsonObject(value)) return { where: value };
  const fault = jsonFault(text) ?? { at: 0, words: 'begin with {, as in {"status":"open"}' };
  const start = Math.min(fault.at, Math.max(0, text.length - 1));
  return { problem: `not JSON yet: ${fault.words}`, at: { start, end: start + 1 } };
}

/**
 * Parses `status:open amount>1000 "quay street"`, or the platform's JSON if it begins with `{`.
 *
 * - `:` finds texts that contain the value and other values that equal it; `=` is exact.
 * - `today`, `tomorrow`, `yesterday` and `today+7` are days of the local calendar; `due`, `status`
 *   and `title` also name the property with that meaning.
 * - `10..20` is a range, `a,b` one of both, `*` any value, `-` before a field negates it.
 * - A word alone is searched in all text fields of `properties`, but not in those of `others`.
 */
export function parseFilter(
  text: string,
  properties: Properties,
  others: Properties = systemProperties,
): ParsedFilter {
  if (text.trim() === "") return { where: undefined };
  if (text.trimStart().startsWith("{")) return parseJson(text);
  try {
    const conditions = termsOf(text).map((term) => termCondition(term, properties, others));
    const [only] = conditions;
    return { where: conditions.length === 1 ? only : { $and: conditions } };
  } catch (error) {
    if (error instanceof FilterProblem) return { problem: error.message, at: error.at };
    throw error;
  }
}

/** A filter in two parts: the words alone as a search takes them, and the `where` of the others. */
export interface SplitFilter {
  readonly words: string;
  readonly where: JsonObject | undefined;
}

/**
 * Splits a typed filter for a search by an index; undefined for one that has no words alone, is
 * JSON, or can't be parsed. Several words are quoted, so that a search finds all of them.
 */
export function splitFilter(text: string, properties: Properties): SplitFilter | undefined {
  if (text.trimStart().startsWith("{") || !("where" in parseFilter(text, properties))) {
    return undefined;
  }
  const terms = termsOf(text);
  const words = terms.flatMap(({ name, values }) => (name === undefined ? values : []));
  if (words.length === 0) return undefined;
  const isOne = words.length === 1;
  const conditions = terms
    .filter(({ name }) => name !== undefined)
    .map((term) => termCondition(term, properties, systemProperties));
  const [only] = conditions;
  return {
    words: words
      .map(({ text: word, quoted }) =>
        (isOne && !quoted) || word.startsWith("-") ? word : `"${word.replaceAll('"', " ")}"`,
      )
      .join(" "),
    where: conditions.length < 2 ? only : { $and: conditions },
  };
}
