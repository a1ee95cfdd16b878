import { dateIn, daysLater, startOfDate } from "#lib/time/zone-days.ts";
import { filterValue } from "../text/filter-value.ts";
import type { DefinedFields } from "./data-fields.ts";
import { closedStates, propertyMeaning } from "./meaning.ts";

/** The days, today included, in which a due date is near, as its sign in lists says. */
const soonDays = 7;
const nextDays = 60;

/** Typed filters that find the open records of a type by their due date. */
export interface DueFilters {
  readonly overdue: string;
  readonly soon: string;
  /** Finds what is overdue or due within 60 days. */
  readonly next: string;
  /** The name of the property. */
  readonly name: string;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The filters on a day of the workspace's time zone; undefined for a type without due dates. */
export function dueFilters(
  type: DefinedFields,
  timeZone: string,
  nowMs: number,
): DueFilters | undefined {
  const due = propertyMeaning(type, "due");
  if (due === undefined) return undefined;
  const now = new Date(nowMs);
  const today = dateIn(timeZone, now);
  const isDate = due.property.type === "date";
  const from = isDate ? today : now.toISOString();
  const before = (days: number) => {
    const end = daysLater(today, days);
    return `${due.name}<${isDate ? end : startOfDate(timeZone, end).toISOString()}`;
  };
  const open = closedStates(type).flatMap(([name, states]) => {
    const closed = [...states].filter(isScalar).map(filterValue);
    return closed.length === 0 ? [] : [`${name}!=${closed.join(",")}`];
  });
  return {
    overdue: [`${due.name}<${from}`, ...open].join(" "),
    soon: [`${due.name}>=${from}`, before(soonDays), ...open].join(" "),
    next: [before(nextDays), ...open].join(" "),
    name: due.name,
  };
}
