import type { LocationLookup, LocationMatch } from "#contract/resources/geo.ts";
import { TickShare } from "../../../../kit/turns/tick-share.ts";
import { boxesAround, distanceTo, metresBetween } from "../../../../kit/geometry/distance.ts";
import {
  boxesMeet,
  partsOf,
  type Box,
  type Geometry,
  type Position,
} from "#lib/geometry/geometry.ts";
import type { Reader } from "../../../../database/database.ts";
import type { Work } from "../../../../work/work.ts";
import type { PlatformBase } from "../../../base.ts";
import { partThatFits, scoreAt, scored, wordsIn } from "../../fit.ts";
import { nameKey } from "../../gazetteer/name-key.ts";
import { boxOfRow, datasetsOf, nameProperties, type DatasetRecord } from "../dataset-store.ts";
import { featuresOfNumbers, generationOf, numbersInBoxes } from "../feature-store.ts";
import { SpatialTest } from "../spatial-test.ts";
import { candidatesIn, type NamedDataset } from "./candidates.ts";
import { DatasetNames } from "./dataset-names.ts";
import { namesOf } from "./feature-names.ts";
import { namedFeatures, type NamedRow } from "./name-store.ts";

/** Datasets of a workspace that one look-up searches, the newest first. */
const searchedDatasets = 100;
/** Features around a point that are tested; a smaller circle is looked at first. */
const testedFeatures = 500;
const circlesMetres = [20, 100, 500] as const;
const mostAreas = 20;

type Area = NonNullable<LocationMatch["areas"]>[number];

/** Features of datasets around a point. */
export interface Surroundings {
  readonly matches: LocationMatch[];
  /** Features whose areas contain the point, the smallest first. */
  readonly areas: Area[];
}

/** The features of a workspace's datasets as places. */
export class DatasetPlaces {
  readonly #names: DatasetNames;

  constructor(base: Pick<PlatformBase, "platformWork" | "logger">) {
    this.#names = new DatasetNames(base);
  }

  /** Features whose names have words of the query, also with one typing error. */
  async find(
    work: Work,
    workspaceId: string,
    lookup: LocationLookup & { readonly query: string },
    signal: AbortSignal,
  ): Promise<LocationMatch[]> {
    const { query, limit, near } = lookup;
    const named: NamedDataset[] = [];
    for (const dataset of await searched(work, workspaceId, lookup)) {
      signal.throwIfAborted();
      named.push({ dataset, table: await this.#names.of(dataset) });
    }
    if (named.length === 0) return [];
    const reader = work.scan.with({ share: workspaceId, signal });
    const numbers = await candidatesIn(reader, named, query, near?.coordinates);
    if (numbers.length === 0) return [];
    const words = [...wordsIn([query])];
    const datasets = new Map(named.map(({ dataset }) => [dataset.generation, dataset]));
    const found = (await namedFeatures(reader, workspaceId, numbers)).flatMap((row) => {
      const dataset = datasets.get(generationOf(row.number));
      if (dataset === undefined) return [];
      const match = matchByName(row, dataset, { words, key: nameKey(query) }, near?.coordinates);
      return match === undefined ? [] : [match];
    });
    return scored(found)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit);
  }

  /** The features within 500 metres of a point, and the areas that contain it. */
  async around(
    work: Work,
    workspaceId: string,
    lookup: LocationLookup,
    signal: AbortSignal,
  ): Promise<Surroundings> {
    const { point, limit } = lookup;
    if (point === undefined) return { matches: [], areas: [] };
    const position = point.coordinates;
    const near = boxesAround(position, circlesMetres.at(-1) ?? 0);
    const reader = work.scan.with({ share: workspaceId, signal });
    const found: Surrounding[] = [];
    for (const dataset of await searched(work, workspaceId, lookup)) {
      const box = boxOfRow(dataset);
      if (box === undefined || !near.some((each) => boxesMeet(each, box))) continue;
      found.push(...(await nearestIn(reader, dataset, position, limit)));
    }
    const areas = found.filter(({ isArea }) => isArea).toSorted((a, b) => a.size - b.size);
    const ordered = found.toSorted(
      (one, other) =>
        (one.match.distance ?? 0) - (other.match.distance ?? 0) || one.size - other.size,
    );
    return {
      matches: ordered.slice(0, limit).map(({ match }) => match),
      areas: areas.slice(0, mostAreas).map(({ match: { name = "", dataset, id = "" } }) => {
        return { name, kind: "area", dataset: dataset ?? "", id };
      }),
    };
  }
}

/** The datasets that the caller may read and asks for; those without features are left out. */
async function searched(
  work: Work,
  workspaceId: string,
  { datasets }: LocationLookup,
): Promise<DatasetRecord[]> {
  const held = work.roleIn(workspaceId);
  if (held === "none") return [];
  if (held !== "platform" && held.permissions?.has("geoFeatures.list") === false) return [];
  const page = { workspaceId, limit: 1_000, offset: 0 };
  return (await datasetsOf(work.read, page))
    .filter(({ slug, features }) => features > 0 && datasets?.includes(slug) !== false)
    .slice(0, searchedDatasets);
}

function matchByName(
  row: NamedRow,
  dataset: DatasetRecord,
  query: { readonly words: readonly string[]; readonly key: string },
  near: Position | undefined,
): (LocationMatch & { readonly confidence: number }) | undefined {
  const properties = JSON.parse(row.properties) as Record<string, unknown>;
  const names = namesOf(properties, nameProperties(dataset));
  const fits = names.map((name) => {
    const own = wordsIn([name]);
    const confidence = partThatFits(query.words, own);
    return { name, confidence, coverage: partThatFits([...own], new Set(query.words)) };
  });
  const [best] = fits.toSorted(
    (one, other) => other.confidence - one.confidence || other.coverage - one.coverage,
  );
  if (best === undefined || best.confidence === 0) return undefined;
  const { confidence, coverage } = best;
  const box = boxOfRow(row);
  const metres = near === undefined || box === undefined ? undefined : metresToBox(near, box);
  const isWhole = confidence === 1 && nameKey(best.name) === query.key;
  return {
    ...featureMatch(row, dataset.slug, properties),
    name: best.name,
    score: metres === undefined ? coverage : scoreAt(coverage, metres),
    confidence,
    matchedBy: isWhole ? "name" : "words",
    ...(metres === undefined ? {} : { distance: Math.round(metres) }),
  };
}

function featureMatch(
  row: NamedRow,
  dataset: string,
  properties: Record<string, unknown>,
): Omit<LocationMatch, "score"> {
  const box = boxOfRow(row);
  return {
    kind: "feature",
    geometry: row.geometry === null ? null : (JSON.parse(row.geometry) as Record<string, unknown>),
    ...(box === undefined ? {} : { bbox: [...box] }),
    properties,
    dataset,
    id: row.id,
  };
}

function metresToBox(position: Position, [west, south, east, north]: Box): number {
  const [x = 0, y = 0] = position;
  const clamp = (value: number, least: number, most: number): number =>
    Math.min(most, Math.max(least, value));
  return metresBetween(position, [clamp(x, west, east), clamp(y, south, north)]);
}

interface Surrounding {
  readonly match: LocationMatch;
  readonly isArea: boolean;
  /** The extent of its box in square degrees. */
  readonly size: number;
}

/** The nearest features of a dataset: a circle grows until it has enough of them. */
async function nearestIn(
  reader: Reader,
  dataset: DatasetRecord,
  position: Position,
  limit: number,
): Promise<Surrounding[]> {
  const { workspace_id: workspaceId, generation } = dataset;
  const source = { workspaceId, generation, where: undefined };
  const ticks = new TickShare(workspaceId);
  let found: Surrounding[] = [];
  for (const metres of circlesMetres) {
    const test = SpatialTest.of({ near: { position, metres } }, "body");
    const numbers = await numbersInBoxes(reader, source, test.boxes ?? [], testedFeatures + 1);
    if (numbers.length > testedFeatures && found.length > 0) break;
    const rows = await featuresOfNumbers(reader, source, numbers.slice(0, testedFeatures));
    found = [];
    for (const row of rows) {
      const geometry = JSON.parse(row.geometry ?? "null") as Geometry | null;
      const box = boxOfRow(row);
      if (geometry === null || box === undefined) continue;
      const distance = await ticks.run(distanceTo(position, geometry));
      if (distance > metres) continue;
      const properties = JSON.parse(row.properties) as Record<string, unknown>;
      const match = {
        ...featureMatch(row, dataset.slug, properties),
        name: namesOf(properties, nameProperties(dataset))[0] ?? row.id,
        score: 1 / (1 + distance / 1000),
        confidence: 1,
        matchedBy: "point",
        distance: Math.round(distance),
      };
      const isArea = distance === 0 && partsOf(geometry).polygons.length > 0;
      found.push({ match, isArea, size: (box[2] - box[0]) * (box[3] - box[1]) });
    }
    if (found.length >= limit || numbers.length > testedFeatures) break;
  }
  return found;
}
