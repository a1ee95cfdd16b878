import { expect, test } from "vitest";
import type { ReportSchedule } from "#contract/geo/reports.ts";
import { timeAfter } from "#server/domains/geo/reports/results/schedule.ts";

test.each<[ReportSchedule, string, string]>([
  [{ every: "hour" }, "2026-03-01T10:20:00Z", "2026-03-01T11:00:00Z"],
  [{ every: "hour" }, "2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z"],
  [{ every: "day" }, "2026-03-01T05:59:00Z", "2026-03-01T06:00:00Z"],
  [{ every: "day" }, "2026-03-01T06:00:00Z", "2026-03-02T06:00:00Z"],
  [{ every: "week", weekday: 7, at: "23:30" }, "2026-03-02T00:00:00Z", "2026-03-08T23:30:00Z"],
  [{ every: "month", day: 28 }, "2026-01-28T07:00:00Z", "2026-02-28T06:00:00Z"],
  // The clocks of London go forward at 01:00 on 29 March, and back at 02:00 on 25 October.
  [{ every: "day", timeZone: "Europe/London" }, "2026-03-28T12:00:00Z", "2026-03-29T05:00:00Z"],
  [{ every: "day", timeZone: "Europe/London" }, "2026-10-24T12:00:00Z", "2026-10-25T06:00:00Z"],
  [
    { every: "day", at: "01:30", timeZone: "Europe/London" },
    "2026-03-28T12:00:00Z",
    "2026-03-29T01:30:00Z",
  ],
])("the time of %j after %s is %s", (schedule, after, next) => {
  expect(timeAfter(schedule, new Date(after)).toISOString()).toBe(next.replace("Z", ".000Z"));
});
