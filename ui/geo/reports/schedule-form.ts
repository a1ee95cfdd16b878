import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { GeoReport, ReportSchedule } from "#contract/geo/reports.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { formField, type FormField } from "../../kit/forms/form-field.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";
import { weekdayName } from "./report-words.ts";

const periods = ["hour", "day", "week", "month"] as const;

export const scheduleFields: readonly FormField[] = [
  formField("every", "every", {
    kind: "choice",
    choices: periods.map((value) => ({ text: value, value })),
    hint: "empty: no schedule; its results have your rights, also later",
  }),
  formField("at", "time", { hint: "of the day, such as 06:00, which is the default" }),
  formField("weekday", "weekday", {
    kind: "choice",
    choices: [1, 2, 3, 4, 5, 6, 7].map((value) => ({ text: weekdayName(value), value })),
    hint: "of a weekly schedule; Monday by default",
  }),
  formField("day", "day", { kind: "number", hint: "of a monthly schedule: 1 to 28" }),
  formField("timeZone", "time zone", { hint: "such as Europe/London; UTC by default" }),
];

export function scheduleData({ schedule }: GeoReport): JsonObject {
  const { every, at, weekday, day, timeZone } = schedule ?? {};
  return given({ every, at, weekday, day, timeZone });
}

/** The faults that this client sees; the platform checks the time zone. */
export function scheduleFaults(data: JsonObject): Fault[] {
  const at = textIn(data, "at");
  const isTime = at === undefined || /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at);
  return isTime ? [] : [{ pointer: pointer("at"), detail: "must be a time such as 06:00" }];
}

/** The schedule of the form; null for none. A period takes the settings that it has alone. */
export function scheduleOf(data: JsonObject): ReportSchedule | null {
  const every = periods.find((period) => period === data["every"]);
  if (every === undefined) return null;
  const { weekday, day } = data;
  const numberFor = (period: string, value: unknown) =>
    every === period && typeof value === "number" ? value : undefined;
  return {
    every,
    ...given({
      at: every === "hour" ? undefined : textIn(data, "at"),
      weekday: numberFor("week", weekday),
      day: numberFor("month", day),
      timeZone: every === "hour" ? undefined : textIn(data, "timeZone"),
    }),
  };
}

/** The options of `svc geo report update` with a schedule. */
export function scheduleOptions(schedule: ReportSchedule | null): CommandOptions {
  if (schedule === null) return { every: "never" };
  const { every, at, weekday, day, timeZone } = schedule;
  return { every, time: at, weekday, day, "time-zone": timeZone };
}
