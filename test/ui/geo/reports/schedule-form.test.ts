import { expect, it } from "vitest";
import {
  scheduleData,
  scheduleFaults,
  scheduleOf,
  scheduleOptions,
} from "#ui/geo/reports/schedule-form.ts";

it("takes the settings of its period alone", () => {
  const data = { every: "week", at: "07:30", weekday: 2, day: 9, timeZone: "Europe/London" };
  const week = { every: "week", at: "07:30", weekday: 2, timeZone: "Europe/London" } as const;
  expect(scheduleOf(data)).toEqual(week);
  expect(scheduleOf({ ...data, every: "hour" })).toEqual({ every: "hour" });
  expect(scheduleOf({ ...data, every: "month" })).toMatchObject({ every: "month", day: 9 });
  expect(scheduleData({ report: "r", schedule: week })).toEqual(week);
});

it("ends a schedule without a period", () => {
  expect(scheduleOf({ at: "07:30" })).toBe(null);
  expect(scheduleOptions(null)).toEqual({ every: "never" });
  expect(scheduleOptions({ every: "day", at: "07:30" })).toMatchObject({
    every: "day",
    time: "07:30",
  });
});

it("refuses a time that does not exist", () => {
  expect(scheduleFaults({ at: "24:00" })).toHaveLength(1);
  expect(scheduleFaults({})).toEqual([]);
});
