import { gazetteerName, type LocationLookup } from "#contract/resources/geo.ts";
import type { LocationMatch, Point } from "#contract/resources/geo.ts";
import type { Work } from "../../work/work.ts";
import { metresBetween } from "../../kit/geometry/distance.ts";
import type { DatasetPlaces } from "./datasets/places/dataset-places.ts";
import { findPlaces } from "./gazetteer/find-places.ts";
import { loadGazetteer, type Gazetteer } from "./gazetteer/gazetteer.ts";
import { pointIn, type NotedPoint } from "./notations.ts";
import { RecordPlaces, type RecordPlacesParts } from "./record-places.ts";

export { storeArchivedDataset, storeArchivedFeatures } from "./datasets/service.ts";
export { maximumReports } from "./reports/reports.ts";

/** A geohash can also be a word, a postcode or a number of a case. */
const geohashConfidence = 0.8;

/** Places by a name, an address or a point: a workspace's, then the gazetteer's (spec 4.5). */
export class Locations {
  constructor(
    private readonly parts: {
      readonly records: Pick<RecordPlaces, "find" | "around">;
      readonly features: Pick<DatasetPlaces, "find" | "around">;
      /** Resolves to undefined in an executable without the gazetteer. */
      readonly loadGazetteer: () => Promise<Gazetteer | undefined>;
    },
  ) {}

  static of(parts: RecordPlacesParts, features: DatasetPlaces): Locations {
    return new Locations({ records: new RecordPlaces(parts), features, loadGazetteer });
  }

  async resolve(
    work: Work,
    workspaceId: string,
    lookup: LocationLookup,
    signal: AbortSignal,
  ): Promise<LocationMatch[]> {
    const { query = "", limit, datasets } = lookup;
    const { records: recordPlaces, features: datasetPlaces, loadGazetteer } = this.parts;
    const gazetteer =
      datasets?.includes(gazetteerName) === false ? undefined : await loadGazetteer();
    if (lookup.point !== undefined) {
      const records = await recordPlaces.around(work, workspaceId, lookup, signal);
      const features = await datasetPlaces.around(work, workspaceId, lookup, signal);
      const areas = [...features.areas, ...(gazetteer?.areasAt(lookup.point.coordinates) ?? [])];
      const own = [...records, ...features.matches].toSorted(
        (one, other) => (one.distance ?? 0) - (other.distance ?? 0),
      );
      const found = [...own, ...placesAround(gazetteer, lookup.point, limit)].slice(0, limit);
      return found.map((match) => ({ ...match, areas: areas.filter(isOther(match)) }));
    }
    const given = pointIn(query);
    const coordinates = given === undefined ? [] : [coordinatesMatch(given, lookup, gazetteer)];
    if (given?.isSure === true) return coordinates;
    const records = await recordPlaces.find(work, workspaceId, { ...lookup, query }, signal);
    const features = await datasetPlaces.find(work, workspaceId, { ...lookup, query }, signal);
    const places = gazetteer === undefined ? [] : placesOf(gazetteer, { ...lookup, query });
    const matches = [...records, ...features, ...coordinates, ...places];
    return matches.toSorted((one, other) => other.score - one.score).slice(0, limit);
  }
}

/** An area that is the match itself is not around it. */
function isOther({ dataset, id }: LocationMatch) {
  return (area: Readonly<Record<string, unknown>>): boolean =>
    id === undefined || area["id"] !== id || area["dataset"] !== dataset;
}

function coordinatesMatch(
  { degrees, notation, isSure }: NotedPoint,
  { near }: LocationLookup,
  gazetteer: Gazetteer | undefined,
): LocationMatch {
  const geometry: Point = { type: "Point", coordinates: [...degrees] };
  const confidence = isSure ? 1 : geohashConfidence;
  return {
    name: `${degrees[1]}, ${degrees[0]}`,
    kind: "coordinates",
    score: confidence,
    confidence,
    matchedBy: "coordinates",
    geometry,
    areas: gazetteer?.areasAt(degrees) ?? [],
    properties: { notation },
    dataset: null,
    ...distanceFrom(near, geometry),
  };
}

function placesOf(
  gazetteer: Gazetteer,
  { query, limit, near }: LocationLookup & { readonly query: string },
): LocationMatch[] {
  const found = findPlaces(gazetteer, query, { near: near?.coordinates, limit });
  return found.map(({ entity, by, confidence }) => ({
    ...placeMatch(gazetteer, entity, near),
    score: confidence,
    confidence: Math.round(confidence * 1000) / 1000,
    matchedBy: by,
    areas: gazetteer.areasOf(entity),
  }));
}

/** The distance at which a place is named for a point with a confidence of a half. */
const halfCertainMetres = 10_000;

function placesAround(
  gazetteer: Gazetteer | undefined,
  point: Point,
  limit: number,
): LocationMatch[] {
  if (gazetteer === undefined) return [];
  return gazetteer.nearest(point.coordinates, limit).map((entity) => {
    const match = placeMatch(gazetteer, entity, point);
    const { distance: metres = 0 } = match;
    const score = 1 / (1 + metres / 1000);
    const confidence = Math.round(1000 / (1 + metres / halfCertainMetres)) / 1000;
    return { ...match, score, confidence, matchedBy: "point" };
  });
}

function placeMatch(
  gazetteer: Gazetteer,
  entity: number,
  from: Point | undefined,
): Omit<LocationMatch, "score"> & { readonly distance?: number } {
  const kind = gazetteer.kind(entity);
  const geometry: Point = { type: "Point", coordinates: [...gazetteer.position(entity)] };
  const code = gazetteer.code(entity);
  const people = gazetteer.population(entity);
  return {
    name: gazetteer.name(entity),
    kind: kind === "region" ? "area" : kind,
    geometry,
    properties: {
      country: gazetteer.countryCode(entity),
      ...(code === undefined ? {} : { [kind === "suburb" ? "postcode" : "code"]: code }),
      ...(people === 0 ? {} : { population: people }),
    },
    dataset: gazetteerName,
    ...distanceFrom(from, geometry),
  };
}

function distanceFrom(from: Point | undefined, to: Point): { readonly distance?: number } {
  if (from === undefined) return {};
  return { distance: Math.round(metresBetween(from.coordinates, to.coordinates)) };
}
