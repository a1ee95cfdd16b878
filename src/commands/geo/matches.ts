import type { Output } from "#cli/output/output.ts";
import type { Column } from "#cli/output/table.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import type { LocationMatch } from "#contract/resources/geo.ts";
import { fieldsNamed, nameList, printRows, type Field } from "../kit/output/rows.ts";

export const matchFields = fieldsNamed<LocationMatch>(
  "name",
  "kind",
  "confidence",
  "matchedBy",
  "areas",
  "geometry",
  "distance",
  "dataset",
  "id",
  "property",
  "properties",
  "score",
);

export const datasetsOption = textOption(
  "names",
  "Object Types, datasets, and gazetteer, separated by commas (default: all)",
);
export const nearOption = textOption("lon,lat", "Prefer places near this point");

/** The names in `--datasets`; undefined without it. */
export function datasetsIn(option: string | undefined): string[] | undefined {
  return option === undefined ? undefined : nameList("--datasets", option);
}

/** Longitude and latitude from `lon,lat`. Throws E305, wrong usage, for another text. */
export function positionIn(text: string, flag: string): readonly [number, number] {
  const found = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*,\s*([+-]?\d{1,2}(?:\.\d+)?)\s*$/.exec(text);
  const [longitude, latitude] = [Number(found?.[1]), Number(found?.[2])];
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) {
    throw usageError(
      `${flag} "${text}" is not a point`,
      "Give the longitude, a comma and the latitude in degrees, e.g. -1.6,54.97",
    );
  }
  return [longitude, latitude];
}

export async function printMatches(
  output: Output,
  matches: readonly LocationMatch[],
  chosen: readonly Field<LocationMatch>[] | undefined,
): Promise<void> {
  await printRows(output, {
    rows: matches,
    fields: chosen,
    csvFields: matchFields,
    none: "No places found",
    answer: (rows) => ({ matches: rows }),
    columns: columnsOf(matches),
  });
}

function columnsOf(matches: readonly LocationMatch[]): Column<LocationMatch>[] {
  const columns: Column<LocationMatch>[] = [
    { heading: "name", value: ({ name }) => name ?? "" },
    {
      heading: "kind",
      value: ({ kind, dataset }) =>
        (kind === "record" || kind === "feature" ? dataset : kind) ?? "",
    },
    { heading: "in", value: areasText },
    { heading: "position", value: positionText },
    { heading: "distance", value: distanceText, align: "right", whole: true },
    {
      heading: "confidence",
      value: ({ confidence }) => confidence?.toFixed(2) ?? "",
      align: "right",
      whole: true,
    },
  ];
  const hasDistance = matches.some(({ distance }) => distance !== undefined);
  return columns.filter(({ heading }) => hasDistance || heading !== "distance");
}

function areasText({ areas = [] }: LocationMatch): string {
  return areas.map(({ name }) => name).join(", ");
}

/** Latitude first, as maps and people write it; the middle of a line or an area. */
function positionText({ geometry, bbox }: LocationMatch): string {
  const coordinates = geometry?.["coordinates"];
  const [longitude, latitude] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
  if (typeof longitude === "number") return `${String(latitude)}, ${longitude}`;
  if (bbox === undefined) return "";
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  const middle = (from: number, to: number): string => ((from + to) / 2).toFixed(4);
  return `${middle(south, north)}, ${middle(west, east)}`;
}

function distanceText({ distance }: LocationMatch): string {
  if (distance === undefined) return "";
  return distance < 10_000 ? `${distance} m` : `${Math.round(distance / 1000)} km`;
}
