import { expect, test } from "vitest";
import { dateIn, daysLater, startOfDate } from "#lib/time/zone-days.ts";

test("a date is that of the time zone", () => {
  const moment = new Date("2026-11-27T11:30:00Z");
  expect(dateIn("UTC", moment)).toBe("2026-11-27");
  expect(dateIn("Pacific/Auckland", moment)).toBe("2026-11-28");
  expect(dateIn("Pacific/Honolulu", new Date("2026-11-27T09:59:59Z"))).toBe("2026-11-26");
});

test("days later are days of the calendar", () => {
  expect(daysLater("2028-02-28", 1)).toBe("2028-02-29");
  expect(daysLater("2026-12-31", 1)).toBe("2027-01-01");
});

test.for([
  ["Europe/London", "2026-03-29", "2026-03-29T00:00:00.000Z"],
  ["Europe/London", "2026-03-30", "2026-03-29T23:00:00.000Z"],
  ["Europe/London", "2026-10-25", "2026-10-24T23:00:00.000Z"],
  ["Pacific/Auckland", "2026-11-28", "2026-11-27T11:00:00.000Z"],
  // The clocks go from 00:00 to 01:00 here.
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
] as const)("the start of a date in %s on %s", ([zone, date, start]) => {
  expect(startOfDate(zone, date).toISOString()).toBe(start);
});
