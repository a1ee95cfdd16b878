import type { JsonObject } from "#client/index.ts";
import type { ReportRow } from "#contract/geo/reports.ts";
import type { Column } from "../../kit/table/columns.ts";
import { fieldLines, jsonLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { countWords, pointWords, valueWords } from "../../kit/text/words.ts";
import { metresWords, positionWords } from "../features/feature-words.ts";

/** The rows of a report, of a run or of a stored result. */
export interface ReportRows {
  readonly rows: readonly ReportRow[];
  readonly items?: number | undefined;
  readonly placed?: number | undefined;
}

const barWidth = 12;

export const keyOfRow = ({ key }: ReportRow): string => key;

/** The name of an area or an item, the corner of a cell, else the key. */
export function rowName({ name, key }: ReportRow): string {
  if (name) return name;
  const corner = key.split(",").map(Number);
  const isCell = corner.length === 2 && corner.every(Number.isFinite);
  return (
    (isCell ? pointWords({ coordinates: corner.map((at) => Number(at.toFixed(4))) }) : undefined) ??
    key
  );
}

function figureWords(value: unknown): string {
  if (typeof value !== "number") return valueWords(value);
  return countWords(Math.round(value * 100) / 100);
}

/** The names of the figures of the rows, `count` first. */
export function figuresOf(rows: readonly ReportRow[]): string[] {
  const names = new Set(rows.flatMap(({ metrics = {} }) => Object.keys(metrics)));
  const isCount = names.delete("count");
  return [...(isCount ? ["count"] : []), ...names];
}

const figureIn = ({ metrics }: ReportRow, name: string): number => {
  const value = metrics?.[name];
  return typeof value === "number" ? value : 0;
};

/** The rows whose names or keys contain a text, in any case. */
export function rowsWith(rows: readonly ReportRow[], text: string): readonly ReportRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter((row) =>
    [row.key, row.name ?? ""].some((name) => name.toLowerCase().includes(wanted)),
  );
}

/** The columns of the rows: their names, figures and a bar of the first one, or distances. */
export function rowColumns({ rows }: ReportRows): Column<ReportRow>[] {
  const figures = figuresOf(rows);
  const [first] = figures;
  const most =
    first === undefined ? 0 : rows.reduce((max, row) => Math.max(max, figureIn(row, first)), 0);
  const bar = (row: ReportRow): string =>
    first === undefined || most <= 0
      ? ""
      : "▇".repeat(Math.round((figureIn(row, first) / most) * barWidth));
  const hasDistance = rows.some(({ distance }) => distance !== undefined);
  const hasProperties = rows.some(({ properties }) => properties !== undefined);
  return [
    { id: "name", title: "name", value: rowName, priority: 0, pinned: true, minimum: 20 },
    ...(hasDistance
      ? [
          {
            id: "distance",
            title: "away",
            align: "right" as const,
            value: ({ distance }: ReportRow) => metresWords(distance),
            priority: 1,
          },
        ]
      : []),
    ...figures.map((name, index) => ({
      id: `figure ${name}`,
      title: name,
      align: "right" as const,
      value: ({ metrics }: ReportRow) => figureWords(metrics?.[name]),
      priority: 1 + index,
    })),
    ...(first === undefined
      ? []
      : [
          {
            id: "bar",
            title: "",
            value: bar,
            token: () => "busy" as const,
            priority: 8,
            minimum: barWidth,
          },
        ]),
    ...(hasProperties
      ? [
          {
            id: "properties",
            title: "properties",
            value: ({ properties = {} }: ReportRow) => propertiesWords(properties),
            priority: 9,
            maximum: 80,
          },
        ]
      : []),
    { id: "key", title: "key", value: keyOfRow, priority: 10, maximum: 24 },
  ];
}

function propertiesWords(properties: JsonObject): string {
  return Object.entries(properties)
    .filter(([, value]) => value !== null && typeof value !== "object")
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(" · ");
}

export function rowLines(row: ReportRow, { width }: { readonly width: number }): StyledLine[] {
  const { key, metrics = {}, distance, geometry, properties = {} } = row;
  const facts = [
    ...Object.entries(metrics).map(([name, value]) => ({ name, value: figureWords(value) })),
    { name: "away", value: metresWords(distance) },
    { name: "at", value: positionWords(geometry) },
    ...Object.entries(properties).map(([name, value]) => ({ name, value: valueWords(value) })),
    { name: "key", value: key },
  ];
  const head: StyledLine = [{ text: "Its geometry as GeoJSON:", as: "quiet" }];
  return [
    ...fieldLines(
      facts.filter(({ value }) => value !== ""),
      width,
    ),
    ...(geometry ? [[], head, ...jsonLines(geometry, width)] : []),
  ];
}
