import type { Fault, JsonObject, ObjectType } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type {
  GeoReport,
  ReportBy,
  ReportDefinition,
  ReportMetrics,
  ReportSource,
} from "#contract/geo/reports.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { formField, textChoices, type FormField } from "../../kit/forms/form-field.ts";
import { placeProperties } from "../../kit/map/map-window.ts";
import type { CommandOptions } from "../../kit/text/command-line.ts";

export type ReportKind = ReportBy["kind"];

/** The kinds of reports as choices. */
export const reportKinds: Readonly<Record<ReportKind, string>> = {
  areas: "count by the areas of a dataset",
  grid: "count by the cells of a grid",
  rings: "count by distance rings around a point",
  nearest: "list the nearest to a point",
  buffer: "list what is near a geometry",
};

/** The things of a workspace that a report may name. */
export interface ReportNames {
  readonly types: readonly ObjectType[];
  /** The names of its datasets. */
  readonly datasets: readonly string[];
}

function sourceChoices({ types, datasets }: ReportNames) {
  const ofTypes = types.flatMap((type) =>
    placeProperties(type).map((property) => ({
      text: `${type.slug} by ${property}`,
      value: { type: type.slug, property },
    })),
  );
  const ofDatasets = datasets.map((dataset) => ({
    text: `features of ${dataset}`,
    value: { dataset },
  }));
  return [...ofTypes, ...ofDatasets];
}

const at = formField("at", "at", {
  isRequired: true,
  hint: "longitude,latitude such as 144.96,-37.81",
});

function groupFields(kind: ReportKind, { datasets }: ReportNames): FormField[] {
  switch (kind) {
    case "areas":
      return [
        formField("areas", "areas", {
          kind: "choice",
          isRequired: true,
          choices: textChoices(datasets),
          hint: "the dataset with the areas",
        }),
        formField("name", "names", {
          hint: "the property with the names of the areas; empty for the one of the dataset",
        }),
      ];
    case "grid":
      return [
        formField("metres", "metres", {
          kind: "number",
          hint: "height of a cell: 10 to 5,000,000",
        }),
        formField("degrees", "degrees", {
          kind: "number",
          hint: "in place of metres: 0.0001 to 90",
        }),
      ];
    case "rings":
      return [
        at,
        formField("rings", "rings", {
          isRequired: true,
          hint: "the distances in metres, from the inner one: 500,1000,5000",
        }),
      ];
    case "nearest":
      return [
        at,
        formField("count", "number", {
          kind: "number",
          isRequired: true,
          fallback: 10,
          hint: "of items: 1 to 500",
        }),
        formField("metres", "farthest", { kind: "number", hint: "in metres; empty for any" }),
      ];
    case "buffer":
      return [
        formField("geometry", "geometry", {
          kind: "json",
          isRequired: true,
          hint: 'of GeoJSON: {"type":"LineString","coordinates":[[0,51],[0.1,51.1]]}',
        }),
        formField("metres", "metres", {
          kind: "number",
          isRequired: true,
          fallback: 500,
          hint: "the distance from the geometry",
        }),
      ];
  }
}

/** The fields of a report of a kind; a report that exists keeps its name and its kind. */
export function reportFields(
  kind: ReportKind,
  names: ReportNames,
  state: "new" | "existing",
): FormField[] {
  const name = formField("report", "report", {
    isRequired: true,
    hint: "a name for paths and commands, such as trees-by-ward",
  });
  return [
    ...(state === "new" ? [name] : []),
    formField("title", "title", { hint: "shown in place of the name" }),
    formField("source", "of", {
      kind: "choice",
      isRequired: true,
      choices: sourceChoices(names),
      hint: "the records with a place, or the features of a dataset",
    }),
    ...groupFields(kind, names),
    formField("where", "filter", {
      kind: "json",
      hint: 'of the items, as the interface has it: {"status":"open"}',
    }),
    formField("sum", "sum", { hint: "a property whose values are added in each group" }),
    formField("average", "average", { hint: "a property whose values are averaged" }),
  ];
}

function numbersIn(text: string | undefined): number[] {
  return (text ?? "").split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
}

/** The faults that this client sees. */
export function reportFaults(kind: ReportKind, data: JsonObject): Fault[] {
  const fault = (name: string, detail: string) => ({ pointer: pointer(name), detail });
  const faults: Fault[] = [];
  const needsPoint = kind === "rings" || kind === "nearest";
  const point = numbersIn(textIn(data, "at"));
  if (
    needsPoint &&
    data["at"] !== undefined &&
    !(point.length === 2 && point.every(Number.isFinite))
  ) {
    faults.push(fault("at", "must be two numbers: longitude,latitude"));
  }
  if (kind === "rings" && data["rings"] !== undefined) {
    const rings = numbersIn(textIn(data, "rings"));
    if (!rings.every(Number.isFinite)) faults.push(fault("rings", "must be numbers of metres"));
  }
  if (kind === "grid" && (data["metres"] === undefined) === (data["degrees"] === undefined)) {
    faults.push(fault("metres", "or degrees: one of the two is required"));
  }
  for (const name of ["where", "geometry"]) {
    const value = data[name];
    if (value !== undefined && !isJsonObject(value)) {
      faults.push(fault(name, "must be a JSON object"));
    }
  }
  return faults;
}

const numberIn = (data: JsonObject, name: string): number | undefined => {
  const value = data[name];
  return typeof value === "number" ? value : undefined;
};

function groupsOf(kind: ReportKind, data: JsonObject): ReportBy {
  const [longitude = 0, latitude = 0] = numbersIn(textIn(data, "at"));
  const position: [number, number] = [longitude, latitude];
  const metres = numberIn(data, "metres");
  const { geometry } = data;
  switch (kind) {
    case "areas":
      return {
        kind,
        dataset: textIn(data, "areas") ?? "",
        ...given({ name: textIn(data, "name") }),
      };
    case "grid":
      return { kind, ...given({ metres, degrees: numberIn(data, "degrees") }) };
    case "rings":
      return { kind, position, metres: numbersIn(textIn(data, "rings")) };
    case "nearest":
      return { kind, position, count: numberIn(data, "count") ?? 10, ...given({ metres }) };
    case "buffer":
      return { kind, geometry: isJsonObject(geometry) ? geometry : {}, metres: metres ?? 0 };
  }
}

function metricsOf(data: JsonObject): ReportMetrics | undefined {
  const [sum, average] = [textIn(data, "sum"), textIn(data, "average")];
  if (sum === undefined && average === undefined) return undefined;
  return {
    count: { op: "count" },
    ...(sum === undefined ? {} : { sum: { op: "sum" as const, field: sum } }),
    ...(average === undefined ? {} : { average: { op: "avg" as const, field: average } }),
  };
}

function sourceOf(data: JsonObject): ReportSource {
  const { source } = data;
  const given = isJsonObject(source) ? source : {};
  const [dataset, type, property] = ["dataset", "type", "property"].map((name) =>
    textIn(given, name),
  );
  return dataset === undefined ? { type: type ?? "", property: property ?? "" } : { dataset };
}

/** The definition of a report of a kind, from the form. */
export function definitionOf(kind: ReportKind, data: JsonObject): ReportDefinition {
  const { where } = data;
  return {
    source: sourceOf(data),
    by: groupsOf(kind, data),
    ...given({ where: isJsonObject(where) ? where : undefined, metrics: metricsOf(data) }),
  };
}

/** The kind of a report that exists; undefined for one that this form does not know. */
export function kindOf({ by }: GeoReport): ReportKind | undefined {
  const kinds = Object.keys(reportKinds) as ReportKind[];
  return kinds.find((kind) => kind === by?.["kind"]);
}

/** The data of the form of a report that exists. */
export function reportData(report: GeoReport): JsonObject {
  const { title, source, where, by = {}, metrics = {} } = report;
  const { position, metres } = by;
  const list = (value: unknown) => (Array.isArray(value) ? value.join(",") : undefined);
  const fieldOf = (name: string) => {
    const metric = metrics[name];
    return isJsonObject(metric) ? textIn(metric, "field") : undefined;
  };
  return given({
    title,
    source,
    where,
    areas: by["dataset"],
    name: by["name"],
    at: list(position),
    rings: list(metres),
    metres: typeof metres === "number" ? metres : undefined,
    degrees: by["degrees"],
    count: by["count"],
    geometry: by["geometry"],
    sum: fieldOf("sum"),
    average: fieldOf("average"),
  });
}

/** The changed parts; null removes a filter or the figures. */
export function reportChanges(kind: ReportKind, report: GeoReport, data: JsonObject) {
  const [old, now] = [definitionOf(kind, reportData(report)), definitionOf(kind, data)];
  const other = <Value>(was: Value, is: Value) => (sameJson(was, is) ? undefined : is);
  const orNull = <Value>(was: Value | undefined, is: Value | undefined) =>
    sameJson(was, is) ? undefined : (is ?? null);
  const title = textIn(data, "title") ?? report.report;
  return given({
    title: title === reportTitleOf(report) ? undefined : title,
    source: other(old.source, now.source),
    by: other(old.by, now.by),
    where: orNull(old.where, now.where),
    metrics: orNull(old.metrics, now.metrics),
    version: report.version,
  });
}

function reportTitleOf({ title, report }: GeoReport): string {
  return title ?? report;
}

/** The options of `svc geo report` with a definition. */
export function definitionOptions(definition: Partial<ReportDefinition>): CommandOptions {
  const { source, by, where, metrics } = definition;
  const fieldOf = (name: string) => metrics?.[name]?.field;
  return {
    ...source,
    ...(by === undefined ? {} : groupOptions(by)),
    where: where && JSON.stringify(where),
    sum: fieldOf("sum"),
    average: fieldOf("average"),
  };
}

function groupOptions(by: ReportBy): CommandOptions {
  switch (by.kind) {
    case "areas":
      return { areas: by.dataset, name: by.name };
    case "grid":
      return { degrees: by.degrees, metres: by.metres };
    case "rings":
      return { rings: by.metres.join(","), at: by.position.join(",") };
    case "nearest":
      return { nearest: by.count, at: by.position.join(","), within: by.metres };
    case "buffer":
      return { buffer: JSON.stringify(by.geometry), within: by.metres };
  }
}
