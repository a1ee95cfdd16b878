import { compilePattern, type Pattern } from "#lib/pattern.ts";
import { uuidPattern } from "#lib/uuid.ts";
import type { PropertyDefinition } from "./properties.ts";
import { maximumPatternSteps, type Check, type Place, type RecordRun } from "./record-run.ts";

/** Bytes of UTF-8 of a value that a database can index. */
const maximumIndexedBytes = 1024;

const emailPattern = /^[^\s@"<>()]{1,64}@[^\s@"<>()]{2,}$/;
const urlSchemes = new Set(["http:", "https:", "ftp:", "mailto:", "tel:", "urn:"]);

/** Checks text types: lengths count characters, patterns match anywhere. */
export function textCheck(property: PropertyDefinition): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, type } = property;
  const pattern = property.pattern === undefined ? undefined : compilePattern(property.pattern);
  const choices = property.enum === undefined ? undefined : new Set<unknown>(property.enum);
  const isKept = property.indexed === true || property.unique === true;
  return (value, place, run) => {
    if (typeof value !== "string") return run.fault(place, "must be text");
    if (type === "email" && (value.length > 254 || !emailPattern.test(value))) {
      return run.fault(place, "must be an e-mail address");
    }
    if (type === "url" && !isUrl(value)) return run.fault(place, "must be an absolute URL");
    if (value.length > maxLength || value.length < minLength * 2) {
      const length = characterCount(value);
      if (length > maxLength) {
        return run.fault(place, `has ${length} characters; must have at most ${maxLength}`);
      }
      if (length < minLength) {
        return run.fault(place, `has ${length} characters; must have at least ${minLength}`);
      }
    }
    if (choices?.has(value) === false) return run.fault(place, notAChoice(choices));
    if (pattern !== undefined && value.length > longestFor(pattern)) {
      const limit = `must have at most ${longestFor(pattern)} characters`;
      return run.fault(place, `is too long for its pattern; ${limit}`);
    }
    if (pattern !== undefined && !run.takesSteps(pattern.size * value.length)) {
      return run.fault(place, "is too long for the patterns of one request; send fewer records");
    }
    if (pattern !== undefined) {
      const fail = () => run.fault(place, `must match the pattern ${property.pattern ?? ""}`);
      if (!run.matches(pattern, value, fail)) return fail();
    }
    return isKept ? indexable(value, place, run) : value;
  };
}

/** Characters of the longest text that the pattern may be tested on. */
function longestFor({ size }: Pattern): number {
  return Math.floor(maximumPatternSteps / size);
}

function indexable(value: string, place: Place, run: RecordRun): string | undefined {
  if (value.length * 3 <= maximumIndexedBytes) return value;
  if (new TextEncoder().encode(value).byteLength <= maximumIndexedBytes) return value;
  return run.fault(place, `is indexed, so it must have at most ${maximumIndexedBytes} bytes`);
}

/** The fault of a value that is none of these; lists at most 20 of them. */
export function notAChoice(choices: ReadonlySet<unknown>): string {
  const shown = [...choices].slice(0, 20).map((choice) => JSON.stringify(choice));
  const more = choices.size > shown.length ? ", …" : "";
  return `must be one of ${shown.join(", ")}${more}`;
}

function isUrl(text: string): boolean {
  if (text.length > 8192 || /\s/.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && urlSchemes.has(url.protocol);
}

/** Checks a calendar date, e.g. `2026-11-21`. */
export const dateCheck: Check = (value, place, run) =>
  typeof value === "string" && isDate(value)
    ? value
    : run.fault(place, "must be a date, as 2026-11-21");

/** True if a text is an existing day, e.g. `2026-11-21` (RFC 3339, `full-date`). */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Checks an RFC 3339 time; stored in UTC with milliseconds, so that text order is time order. */
export const datetimeCheck: Check = (value, place, run) =>
  (typeof value === "string" ? normalDatetime(value) : undefined) ??
  run.fault(place, "must be a time, as 2026-11-21T09:30:00Z");

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const datetimePattern = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})[Tt ]${time}:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]${time})$`,
);

/** An RFC 3339 time in UTC with milliseconds; undefined for any other text. */
export function normalDatetime(text: string): string | undefined {
  const date = datetimePattern.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return undefined;
  const time = new Date(text.toUpperCase().replace(" ", "T"));
  const year = time.getUTCFullYear();
  return Number.isNaN(time.getTime()) || year < 0 || year > 9999 ? undefined : time.toISOString();
}

/** Checks the form of a record id and collects it, so that the server can look it up. */
export function referenceCheck(targetObjectType: string): Check {
  return (value, place, run) => {
    if (typeof value !== "string" || !uuidPattern.test(value)) {
      return run.fault(place, `must be the id of a record of ${targetObjectType}`);
    }
    run.references.push({ targetObjectType, id: value, pointer: run.pointerOf(place) });
    return value;
  };
}

/** Unicode characters; a surrogate pair is one. */
function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
