import { catalogError } from "#contract/errors.ts";
import { formatNumber, plainNumber } from "#lib/spreadsheets/number-format.ts";
import { asJson, asNumber, quoted } from "../batch/csv.ts";
import { dateReader, numberReader, type LocalTime } from "./local-forms.ts";
import type { Cell, DateCell } from "./source.ts";

/** How the values of a column are written. */
export interface ValueForms {
  /** A form of dates such as `DD.MM.YYYY`, or `serial` for days of a spreadsheet. */
  readonly date?: string | undefined;
  /** An example of a number such as `1.234,56`. */
  readonly number?: string | undefined;
  /** The IANA time zone of local times; UTC by default. */
  readonly timeZone?: string | undefined;
  readonly true?: string | undefined;
  readonly false?: string | undefined;
}

/** The names that a reason gives to the settings of an import. */
export interface SettingNames {
  readonly dates: string;
  readonly numbers: string;
  readonly key: string;
}

/** The names of the command; a form names its fields. */
export const flagNames: SettingNames = { dates: "--dates", numbers: "--numbers", key: "--key" };

export interface PropertyShape {
  readonly type: string;
  readonly enum?: unknown;
}

/** Converts a cell that is not empty. Throws a `TypeError` with the fault's detail. */
export type CellReader = (cell: NonNullable<Cell>) => unknown;

/** A date that is not in the form of ISO 8601, e.g. `14.03.2026`. */
const localDate = /^\s*(?!\d{4}-\d\d-\d\d)\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)/;
const lastSerial = 2_958_465;

/** The reader of a property's cells. Throws E302 for a form that is not known. */
export function cellReader(
  property: PropertyShape,
  forms: ValueForms,
  names: SettingNames = flagNames,
): CellReader {
  const { type, enum: choices } = property;
  if (type === "integer" || type === "number") return numbers(forms.number, names);
  if (type === "boolean") return booleans(forms);
  if (type === "date" || type === "datetime") return dates(type, forms, names);
  if (["object", "array", "geopoint", "geometry", "file"].includes(type)) {
    return (cell) => (typeof cell === "object" ? textOf(cell) : asJson(textOf(cell)));
  }
  const known = (Array.isArray(choices) ? choices : []).filter(
    (choice) => typeof choice === "number",
  );
  if (known.length === 0) return textOf;
  return (cell) => known.find((number) => String(number) === textOf(cell)) ?? textOf(cell);
}

/** A cell as text, as the spreadsheet shows it. */
export function textOf(cell: NonNullable<Cell>): string {
  if (typeof cell === "string") return cell;
  if (typeof cell === "number") return plainNumber(cell);
  if (typeof cell === "boolean") return String(cell);
  if ("date" in cell) return cell.date;
  throw new TypeError(`is the error ${cell.error} of the spreadsheet`);
}

function numbers(form: string | undefined, names: SettingNames): CellReader {
  const read = form === undefined ? undefined : numberReader(form);
  if (form !== undefined && read === undefined) throw unknownForm("number", form, "1.234,56");
  return (cell) => {
    if (typeof cell === "number") return cell;
    if (typeof cell === "object" && "date" in cell) {
      throw new TypeError(`${quoted(cell.date)} is a date, not a number`);
    }
    const text = textOf(cell);
    if (read === undefined) {
      const isLocal =
        /^\D{0,4}\d[\d.,'’ \u00a0\u202f]*\D{0,4}$/.test(text) && /\D/.test(text.trim());
      try {
        return asNumber(text);
      } catch (error) {
        if (!(error instanceof TypeError) || !isLocal) throw error;
        throw new TypeError(`${error.message}; ${names.numbers} names its form, e.g. 1.234,56`);
      }
    }
    const digits = read(text);
    if (digits === undefined) throw new TypeError(`${quoted(text)} is not a number like ${form}`);
    return asNumber(digits);
  };
}

function booleans({ true: yes = "", false: no = "" }: ValueForms): CellReader {
  const isYes = new Set(["true", "yes", "1", yes.toLowerCase()].filter(Boolean));
  const isNo = new Set(["false", "no", "0", no.toLowerCase()].filter(Boolean));
  return (cell) => {
    const text = textOf(cell).trim().toLowerCase();
    if (isYes.has(text) && text !== no.toLowerCase()) return true;
    if (isNo.has(text)) return false;
    throw new TypeError(`${quoted(textOf(cell))} is neither true nor false`);
  };
}

function dates(
  type: "date" | "datetime",
  { date: form, timeZone = "UTC" }: ValueForms,
  names: SettingNames,
): CellReader {
  const isSerial = form === "serial";
  const read = form === undefined || isSerial ? undefined : dateReader(form);
  if (form !== undefined && !isSerial && read === undefined) {
    throw unknownForm("date", form, "DD.MM.YYYY or M/D/YY HH:mm");
  }
  const finished = (local: LocalTime): string =>
    type === "date" ? local.date : inUtc(local, timeZone);
  return (cell) => {
    if (typeof cell === "object" && "date" in cell) {
      const { date, exact = date } = cell;
      return finished(localOf({ date: type === "date" ? date : exact }));
    }
    if (typeof cell === "number") {
      if (!isSerial || cell < 1 || cell > lastSerial) {
        throw new TypeError(`${cell} is a number, not a date`);
      }
      return finished(localOf({ date: formatNumber(String(cell), { kind: "dateTime" }, false) }));
    }
    const text = textOf(cell);
    // The platform checks text without a form, and names what is wrong.
    if (read === undefined) {
      if (!localDate.test(text)) return text;
      const named = `${names.dates} names its form, e.g. DD.MM.YYYY`;
      throw new TypeError(`${quoted(text)} is no date; ${named}`);
    }
    const local = read(text);
    if (local === undefined) throw new TypeError(`${quoted(text)} is not a date like ${form}`);
    return finished(local);
  };
}

function localOf({ date }: DateCell): LocalTime {
  const [day = "", time] = date.split(/[ T]/);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new TypeError(`${quoted(date)} is not a date`);
  const clock = time?.slice(0, 8);
  return { date: day, time: clock?.length === 5 ? `${clock}:00` : clock };
}

/** A local time in UTC; a time that the clock skips is the one after it. */
function inUtc({ date, time = "00:00:00" }: LocalTime, timeZone: string): string {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`);
  return local.toZonedDateTime(timeZone).toInstant().toString({ fractionalSecondDigits: 3 });
}

function unknownForm(kind: string, form: string, example: string) {
  const details = `${JSON.stringify(form)} is not a form of a ${kind}: expected e.g. ${example}`;
  return catalogError("E302", { details });
}
