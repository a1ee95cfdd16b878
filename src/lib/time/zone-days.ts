/** Days of the calendar as `YYYY-MM-DD`, in an IANA time zone. */

/** The date of a moment in a time zone. */
export function dateIn(timeZone: string, moment: Date): string {
  const parts = partsIn(timeZone, moment);
  return new Date(Date.UTC(parts.year, parts.month - 1, parts.day)).toISOString().slice(0, 10);
}

/** The date so many days later. */
export function daysLater(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The first moment of a date in a time zone, also where the clocks change at midnight. */
export function startOfDate(timeZone: string, date: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  const candidates = [-dayMs, dayMs].map((aside) => {
    const near = new Date(wanted + aside);
    return new Date(wanted - (wallClock(timeZone, near) - near.getTime()));
  });
  const onDate = candidates.filter((moment) => dateIn(timeZone, moment) === date);
  return new Date(Math.min(...(onDate.length > 0 ? onDate : candidates).map(Number)));
}

/** The moment so many minutes of the clock after the start of a date in a time zone. */
export function momentOn(timeZone: string, date: string, minutes: number): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minutes * 60_000;
  const aheadMs = (moment: number): number => wallClock(timeZone, new Date(moment)) - moment;
  return new Date(wanted - aheadMs(wanted - aheadMs(wanted)));
}

const dayMs = 24 * 60 * 60 * 1000;

/** The time that a clock there shows, as if it were in UTC. */
function wallClock(timeZone: string, moment: Date): number {
  const { year, month, day, hour, minute, second } = partsIn(timeZone, moment);
  return Date.UTC(year, month - 1, day, hour, minute, second, moment.getUTCMilliseconds());
}

type Part = "year" | "month" | "day" | "hour" | "minute" | "second";

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(timeZone: string, moment: Date): Record<Part, number> {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const numberOf = (part: Part): number => Number(parts.get(part));
  return {
    year: numberOf("year"),
    month: numberOf("month"),
    day: numberOf("day"),
    hour: numberOf("hour"),
    minute: numberOf("minute"),
    second: numberOf("second"),
  };
}
