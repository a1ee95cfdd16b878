import type { LocationLookup, LocationMatch, Point } from "#contract/resources/geo.ts";
import type { SearchResult } from "#contract/resources/reads/search.ts";
import type { JsonObject } from "#contract/values.ts";
import { textsOf } from "../../text/search/searched-texts.ts";
import type { Work } from "../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../object-types/service.ts";
import type { ResourceService } from "../records/service.ts";
import { positionOf } from "#lib/geometry/area.ts";
import { metresTo } from "../../kit/geometry/distance.ts";
import type { Geometry } from "#lib/geometry/geometry.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { partThatFits, scoreAt, scored, wordsIn } from "./fit.ts";
import { nameKey } from "./gazetteer/name-key.ts";

/** Records that are read for each wanted match: some have no point. */
const searchedPerMatch = 4;
const mostSearched = 100;
const longestName = 200;
const aroundMetres = 500;

export interface RecordPlacesParts {
  readonly objectTypes: Pick<ObjectTypeService, "all">;
  readonly records: Pick<ResourceService, "search" | "queries">;
}

interface PlacedType {
  readonly type: ReadableType;
  /** The names of its geopoints and geometries. */
  readonly properties: readonly string[];
}

type Located = LocationMatch & { readonly geometry: Point };

/** Records with a geopoint or a geometry as the places of their workspace. */
export class RecordPlaces {
  constructor(private readonly parts: RecordPlacesParts) {}

  /** Records whose searchable texts have words of the query, also with one typing error. */
  async find(
    work: Work,
    workspaceId: string,
    lookup: LocationLookup & { readonly query: string },
    signal: AbortSignal,
  ): Promise<LocationMatch[]> {
    const { query, limit, near } = lookup;
    const placed = (await this.#placedTypes(work, workspaceId, lookup)).filter(
      ({ type }) => type.searched.length > 0,
    );
    if (placed.length === 0) return [];
    const types = new Map(placed.map((each) => [each.type.slug, each]));
    const wanted = Math.min(mostSearched, near === undefined ? limit * searchedPerMatch : Infinity);
    const results = async (mode: "fulltext" | "vector"): Promise<SearchResult[]> => {
      const search = { query, types: [...types.keys()], mode, limit: Math.max(wanted, limit) };
      return (await this.parts.records.search.run(work, workspaceId, search, signal)).results;
    };
    const words = nameKey(query).split(" ").filter(Boolean);
    const matchesIn = (found: readonly SearchResult[]): Located[] =>
      found.flatMap((result) => {
        const { type, properties } = types.get(result.type) ?? { properties: [] };
        const confidence = type === undefined ? 0 : confidenceOf(words, result, type);
        if (confidence === 0) return [];
        return matchesOf(result, properties).map((match) => ({ ...match, confidence }));
      });
    let matches = matchesIn(await results("fulltext"));
    // Similar spelling finds a record where each word has an error.
    if (matches.length === 0) matches = matchesIn(await results("vector"));
    return scored(matches.map((match) => weighed(match, near)));
  }

  /** The records within 500 metres of a point, the nearest first. */
  async around(
    work: Work,
    workspaceId: string,
    lookup: LocationLookup,
    signal: AbortSignal,
  ): Promise<LocationMatch[]> {
    const { point, limit } = lookup;
    if (point === undefined) return [];
    const found: Located[] = [];
    for (const { type, properties } of await this.#placedTypes(work, workspaceId, lookup)) {
      for (const property of properties) {
        const where = { [property]: { $near: { $geometry: point, $maxDistance: aroundMetres } } };
        const query = { types: [type.slug], where, limit, page: 1, count: false };
        const { items } = await this.parts.records.queries.run(work, workspaceId, query, signal);
        for (const { id, data } of items) {
          const geometry = pointOf(data[property]);
          if (geometry === undefined) continue;
          const name = titleOf(type, data) ?? id;
          const match = { name, kind: "record", geometry, properties: data, dataset: type.slug };
          found.push(weighed({ ...match, score: 1, id, property, matchedBy: "point" }, point));
        }
      }
    }
    return found
      .toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0))
      .map((match) => ({ ...match, confidence: 1 }));
  }

  async #placedTypes(
    work: Work,
    workspaceId: string,
    { datasets }: LocationLookup,
  ): Promise<PlacedType[]> {
    return (await this.parts.objectTypes.all(work, workspaceId)).flatMap((each) => {
      const type = readableFields(work, each);
      if (type === undefined || datasets?.includes(type.slug) === false) return [];
      const properties = Object.entries(type.properties).flatMap(([name, { type: kind }]) =>
        kind === "geopoint" || kind === "geometry" ? [name] : [],
      );
      return properties.length > 0 ? [{ type, properties }] : [];
    });
  }
}

function confidenceOf(
  words: readonly string[],
  { data }: SearchResult,
  type: ReadableType,
): number {
  return partThatFits(words, wordsIn(textsOf(type.searched, data).map(({ text }) => text)));
}

/** One match for each point or geometry of a record. */
function matchesOf(result: SearchResult, properties: readonly string[]): Located[] {
  const { type, id, score, data } = result;
  return properties.flatMap((property) => {
    const geometry = pointOf(data[property]);
    if (geometry === undefined) return [];
    const name = nameOf(result);
    const place = { geometry, properties: data, dataset: type, id, property };
    return [{ name, kind: "record", score, matchedBy: "words", ...place }];
  });
}

/** A stored value of a geopoint or a geometry. */
export function geometryOf(value: unknown): Geometry | undefined {
  const reading = readGeometry(value, { keep: true });
  return reading.faults === undefined ? (reading.geometry ?? undefined) : undefined;
}

/** A point, or one position inside of a geometry; its altitude does not count. */
function pointOf(value: unknown): Point | undefined {
  const geometry = geometryOf(value);
  const [longitude, latitude] = (geometry && positionOf(geometry)) ?? [];
  if (longitude === undefined || latitude === undefined) return undefined;
  return { type: "Point", coordinates: [longitude, latitude] };
}

/** The matched value, or its best highlight if the value is longer than 200 characters. */
function nameOf({ data, highlights = [], id }: SearchResult): string {
  const [best] = highlights;
  if (best === undefined) return id;
  const whole = valueAt(data, best.property);
  return typeof whole === "string" && whole.length <= longestName ? whole : best.text;
}

/** The value of the property with the meaning `title`, or of the first searchable one. */
function titleOf({ properties, searched }: ReadableType, data: JsonObject): string | undefined {
  const titled = Object.entries(properties).find(([, { meaning }]) => meaning === "title")?.[0];
  const value = valueAt(data, titled ?? searched[0]?.name ?? "");
  return typeof value === "string" ? value.slice(0, longestName) : undefined;
}

function valueAt(data: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? (value as JsonObject)[name] : undefined,
      data,
    );
}

function weighed(match: Located, near: Point | undefined): Located {
  if (near === undefined) return match;
  const { properties, property = "", geometry } = match;
  const metres = metresTo(near.coordinates, geometryOf(properties?.[property]) ?? geometry);
  return { ...match, score: scoreAt(match.score, metres), distance: Math.round(metres) };
}
