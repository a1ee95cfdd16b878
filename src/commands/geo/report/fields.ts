import { textOption } from "#cli/command.ts";
import { usageError, usageFormatError } from "#cli/errors.ts";
import type { Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type {
  GeoReport,
  ReportBy,
  ReportDefinition,
  ReportMetrics,
  ReportSchedule,
  ReportSource,
} from "#contract/geo/reports.ts";
import { given } from "#lib/given.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readObject } from "../../kit/input/data.ts";
import { whereOption } from "../../kit/output/pages.ts";

export const reportArgument = {
  name: "report",
  description: "Name of the report; `svc geo report list`",
} as const;

/** The options that describe a report and its question. */
export const reportOptions = {
  title: textOption("text", "Title of the report"),
  description: textOption("text", "Description of the report"),
  type: textOption("slug", "Object Type whose records are counted, with --property"),
  property: textOption("name", "Geopoint or geometry of the records"),
  dataset: textOption("name", "Dataset whose features are counted, instead of --type"),
  where: whereOption,
  areas: textOption("dataset", "Count by the areas of this dataset"),
  name: textOption("property", "Property with the names of the areas"),
  degrees: textOption("degrees", "Count by cells of this size"),
  metres: textOption("metres", "Count by cells of this size"),
  rings: textOption("metres", "Count by rings up to these distances, such as 500,1000"),
  nearest: textOption("count", "List this many nearest items"),
  buffer: textOption("json", "List items near this geometry; `@path` reads a file"),
  within: textOption("metres", "Distance from --buffer, or the farthest of --nearest"),
  at: textOption("place", "longitude,latitude of --rings and --nearest"),
  sum: textOption("property", "Add the values of this property in each group"),
  average: textOption("property", "Average the values of this property in each group"),
  every: {
    type: "string",
    values: ["hour", "day", "week", "month", "never"],
    description: "Make results by a schedule with your rights: `svc geo report results`",
  },
  time: textOption("hh:mm", "Time of day of --every (default: 06:00)"),
  weekday: textOption("number", "Day of --every week, from Monday as 1 (default: 1)"),
  day: textOption("number", "Day of --every month, 1 to 28 (default: 1)"),
  "time-zone": textOption("name", "Time zone of --time, such as Europe/London (default: UTC)"),
} as const;

type Given = { readonly [Name in keyof typeof reportOptions]?: string | undefined };

/** The parts of a report that the options have. */
export async function partsOf(context: CommandContext, options: Given) {
  const { title, description, sum, average } = options;
  const source = sourceOf(options);
  const by = await groupsOf(context, options);
  const where = await readObject(context, options.where, "--where");
  const figures: ReportMetrics = {
    count: { op: "count" },
    ...(sum === undefined ? {} : { sum: { op: "sum", field: sum } }),
    ...(average === undefined ? {} : { average: { op: "avg", field: average } }),
  };
  const metrics = sum === undefined && average === undefined ? undefined : figures;
  const schedule = scheduleOf(options);
  return given({ title, description, source, where, by, metrics, schedule });
}

/** The schedule of the options; null ends one. */
function scheduleOf(options: Given): ReportSchedule | null | undefined {
  const { every, time, weekday, day, "time-zone": timeZone } = options;
  if (every === undefined) {
    const isAlone = [time, weekday, day, timeZone].every((value) => value === undefined);
    if (!isAlone) throw usageError("--every is missing");
    return undefined;
  }
  if (every === "never") return null;
  const whole = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : numberOf(text, flag);
  return {
    every: periodOf(every),
    ...given({
      at: time,
      weekday: whole(weekday, "--weekday"),
      day: whole(day, "--day"),
      timeZone,
    }),
  };
}

function periodOf(every: string): ReportSchedule["every"] {
  return every === "hour" || every === "day" || every === "week" ? every : "month";
}

/** The definition of a new report; throws a usage error for one without a source or rows. */
export function definitionIn(parts: Partial<ReportDefinition>): ReportDefinition {
  const { source, by, where, metrics } = parts;
  if (source === undefined) throw usageError("--type with --property, or --dataset is missing");
  if (by === undefined) {
    throw usageError("--areas, --degrees, --metres, --rings, --nearest or --buffer is missing");
  }
  return { source, by, ...given({ where, metrics }) };
}

function sourceOf({ type, property, dataset }: Given): ReportSource | undefined {
  if (dataset !== undefined) return { dataset };
  if (type === undefined && property === undefined) return undefined;
  if (type === undefined || property === undefined) {
    throw usageError("--type and --property need each other");
  }
  return { type, property };
}

async function groupsOf(context: CommandContext, options: Given): Promise<ReportBy | undefined> {
  const { areas, name, degrees, metres, rings, nearest, buffer, within, at } = options;
  if (areas !== undefined) return { kind: "areas", dataset: areas, ...given({ name }) };
  if (degrees !== undefined) return { kind: "grid", degrees: numberOf(degrees, "--degrees") };
  if (metres !== undefined) return { kind: "grid", metres: numberOf(metres, "--metres") };
  const distance = within === undefined ? undefined : numberOf(within, "--within");
  if (buffer !== undefined) {
    const geometry = (await readObject(context, buffer, "--buffer")) ?? {};
    return { kind: "buffer", geometry, metres: distance ?? 0 };
  }
  if (rings === undefined && nearest === undefined) return undefined;
  const [x = 0, y = 0] = numbersOf(at ?? "", "--at", 2);
  const position: [number, number] = [x, y];
  if (rings !== undefined) return { kind: "rings", position, metres: numbersOf(rings, "--rings") };
  const count = numberOf(nearest ?? "", "--nearest");
  return { kind: "nearest", position, count, ...given({ metres: distance }) };
}

function numberOf(text: string, flag: string): number {
  return numbersOf(text, flag, 1)[0] ?? 0;
}

function numbersOf(text: string, flag: string, count?: number): number[] {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isRight = count === undefined || numbers.length === count;
  if (isRight && numbers.every(Number.isFinite)) return numbers;
  const wanted = count === undefined ? "numbers" : count === 1 ? "a number" : `${count} numbers`;
  throw usageFormatError(flag, count === 1 ? wanted : `${wanted}, separated by commas`);
}

export function reportLines(output: Output, report: GeoReport): Shown[] {
  const text = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  return output.fields([
    ["report", report.report],
    ["title", report.title],
    ["description", report.description],
    ["source", text(report.source)],
    ["where", text(report.where)],
    ["by", text(report.by)],
    ["metrics", text(report.metrics)],
    ["schedule", text(report.schedule)],
    ["next time", report.due_at],
    ["version", report.version?.toString()],
    ["updated", report.updated_at],
  ]);
}
