import type { GeoDataset } from "#contract/geo/datasets.ts";
import { fieldLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { countWords, distanceWords } from "../../kit/text/words.ts";

/** The name of a member; undefined while it is not known. */
type NameOf = (id: string) => string | undefined;

interface Area {
  readonly width: number;
  readonly nowMs: number;
}

const unknownName: NameOf = () => undefined;

export function datasetTitle({ title, dataset }: GeoDataset): string {
  return title ?? dataset;
}

/** A box of degrees as its south-west and north-east corners. */
export function boxWords(box: readonly number[] | null | undefined): string {
  if (!box) return "no places";
  const [west = 0, south = 0, east = 0, north = 0] = box;
  return `${cornerWords(west, south)} to ${cornerWords(east, north)}`;
}

function cornerWords(longitude: number, latitude: number): string {
  const degrees = (value: number) => Number(Math.abs(value).toFixed(4));
  const north = `${degrees(latitude)} ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${degrees(longitude)} ${longitude < 0 ? "W" : "E"}`;
}

function changeWords(at: string | undefined, by: string | undefined, nameOf: NameOf, now: number) {
  if (at === undefined) return "";
  const who = by === undefined ? "" : ` by ${nameOf(by) ?? by}`;
  return `${distanceWords(at, now)} · ${at}${who}`;
}

/** The details of a dataset; facts that it does not have are left out. */
export function datasetLines(
  dataset: GeoDataset,
  { width, nowMs }: Area,
  nameOf: NameOf = unknownName,
): StyledLine[] {
  const { title = "", description = "", source = "", licence = "", attribution = "" } = dataset;
  const { nameProperties = [], version, features, bbox } = dataset;
  const names =
    nameProperties.length === 0 ? "those called like a name" : nameProperties.join(", ");
  const fields = [
    { name: "title", value: title },
    { name: "description", value: description },
    { name: "features", value: features === undefined ? "" : countWords(features) },
    { name: "area", value: features === 0 ? "" : boxWords(bbox) },
    { name: "names", value: names },
    { name: "source", value: source },
    { name: "licence", value: licence },
    { name: "attribution", value: attribution },
    { name: "version", value: version === undefined ? "" : String(version) },
    { name: "made", value: changeWords(dataset.created_at, dataset.created_by, nameOf, nowMs) },
    { name: "changed", value: changeWords(dataset.updated_at, dataset.updated_by, nameOf, nowMs) },
    { name: "dataset", value: dataset.dataset },
  ];
  return fieldLines(
    fields.filter(({ value }) => value !== ""),
    width,
  );
}
