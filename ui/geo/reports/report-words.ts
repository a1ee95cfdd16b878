import type { JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { GeoReport } from "#contract/geo/reports.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { fieldLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { distanceWords, valueWords } from "../../kit/text/words.ts";
import { metresWords } from "../features/feature-words.ts";

/** The name of a member; undefined while it is not known. */
type NameOf = (id: string) => string | undefined;

const unknownName: NameOf = () => undefined;
const none: JsonObject = {};

export function reportTitle({ title, report }: GeoReport): string {
  return title ?? report;
}

/** The records or features that a report counts: `planning-application by location`. */
export function sourceWords({ source = none }: GeoReport): string {
  const { dataset, type, property } = source;
  if (typeof dataset === "string") return `features of ${dataset}`;
  return `${valueWords(type)} by ${valueWords(property)}`;
}

const numberIn = (value: unknown) => (typeof value === "number" ? value : undefined);

function positionWords(value: unknown): string {
  return Array.isArray(value) ? value.map(valueWords).join(", ") : "";
}

/** The groups or items of a report: `cells of 5,000 m`, `the nearest 10 to 144.96, -37.81`. */
export function byWords({ by = none }: GeoReport): string {
  const { kind, dataset, degrees, metres, position, count, geometry } = by;
  switch (kind) {
    case "areas":
      return `areas of ${valueWords(dataset)}`;
    case "grid":
      return degrees === undefined
        ? `cells of ${metresWords(numberIn(metres))}`
        : `cells of ${valueWords(degrees)}°`;
    case "rings": {
      const rings = Array.isArray(metres) ? metres.map((each) => metresWords(numberIn(each))) : [];
      return `rings of ${rings.join(", ")} around ${positionWords(position)}`;
    }
    case "nearest": {
      const within = metres === undefined ? "" : `, at most ${metresWords(numberIn(metres))}`;
      return `the nearest ${valueWords(count)} to ${positionWords(position)}${within}`;
    }
    case "buffer": {
      const type = isJsonObject(geometry) ? textIn(geometry, "type") : undefined;
      return `within ${metresWords(numberIn(metres))} of a ${type ?? "geometry"}`;
    }
    default:
      return valueWords(kind);
  }
}

const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

export function weekdayName(day: number | undefined): string {
  return weekdays[(day ?? 1) - 1] ?? "Monday";
}

/** The times of a schedule: `every day at 06:00`, `every week on Monday at 06:00 UTC`. */
export function scheduleWords({ schedule }: GeoReport): string {
  if (schedule === undefined) return "";
  const { every, at = "06:00", weekday, day, timeZone = "UTC" } = schedule;
  if (every === "hour") return "every hour";
  const on =
    every === "week"
      ? ` on ${weekdayName(weekday)}`
      : every === "month"
        ? ` on day ${day ?? 1}`
        : "";
  return `every ${every}${on} at ${at} ${timeZone}`;
}

function metricWords(metrics: JsonObject | undefined): string {
  if (metrics === undefined) return "count";
  return Object.entries(metrics)
    .map(([name, metric]) => {
      const { op, field } = isJsonObject(metric) ? metric : none;
      const of = field === undefined ? "" : ` of ${valueWords(field)}`;
      return `${name}: ${valueWords(op)}${of}`;
    })
    .join(", ");
}

/** The details of a report; facts that it does not have are left out. */
export function reportLines(
  report: GeoReport,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
  nameOf: NameOf = unknownName,
): StyledLine[] {
  const { title = "", description = "", where, metrics, scheduled_by: scheduler } = report;
  const when = (at: string | undefined) =>
    at === undefined ? "" : `${distanceWords(at, nowMs)} · ${at}`;
  const by = (oid: string | undefined) => (oid === undefined ? "" : ` by ${nameOf(oid) ?? oid}`);
  const schedule = scheduleWords(report);
  const fields = [
    { name: "title", value: title },
    { name: "description", value: description },
    { name: "counts", value: sourceWords(report) },
    { name: "filter", value: where === undefined ? "" : JSON.stringify(where) },
    { name: "by", value: byWords(report) },
    { name: "figures", value: metricWords(metrics) },
    { name: "schedule", value: schedule === "" ? "none" : schedule },
    { name: "next time", value: when(report.due_at) },
    { name: "rights of", value: scheduler === undefined ? "" : (nameOf(scheduler) ?? scheduler) },
    { name: "made", value: when(report.created_at) + by(report.created_by) },
    { name: "changed", value: when(report.updated_at) + by(report.updated_by) },
    { name: "report", value: report.report },
  ];
  return fieldLines(
    fields.filter(({ value }) => value !== ""),
    width,
  );
}
