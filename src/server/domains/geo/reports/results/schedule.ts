import type { ReportSchedule } from "#contract/geo/reports.ts";
import { dateIn, daysLater, momentOn } from "#lib/time/zone-days.ts";

const hourMs = 60 * 60_000;
/** A month has at most this many days. */
const mostDays = 32;

/** The first time of a schedule after a moment. */
export function timeAfter(schedule: ReportSchedule, moment: Date): Date {
  const { every, at = "06:00", weekday = 1, day = 1, timeZone = "UTC" } = schedule;
  if (every === "hour") return new Date((Math.floor(moment.getTime() / hourMs) + 1) * hourMs);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const today = dateIn(timeZone, moment);
  for (let later = 0; later <= mostDays; later += 1) {
    const date = daysLater(today, later);
    if (every === "week" && weekdayOf(date) !== weekday) continue;
    if (every === "month" && Number(date.slice(-2)) !== day) continue;
    const time = momentOn(timeZone, date, hours * 60 + minutes);
    if (time > moment) return time;
  }
  throw new RangeError(`No day has the time of ${JSON.stringify(schedule)}`);
}

/** Monday is 1, and Sunday is 7. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}
