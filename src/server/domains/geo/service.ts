import type { LocationLookup, LocationMatch, Point } from "#contract/resources/geo.ts";
import type { SearchResult } from "#contract/resources/reads/search.ts";
import type { JsonObject } from "#contract/values.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../object-types/service.ts";
import type { ResourceService } from "../records/service.ts";
import type { Work } from "../../work/work.ts";

/** Records that are read for each wanted match: some have no point. */
const searchedPerMatch = 4;
const mostSearched = 100;
/** At this distance from `near`, a match has half the score that its words give. */
const halfScoreMetres = 50_000;
const longestName = 200;

/** Places by their name or address, among the records of a workspace (spec 4.5). */
export class Locations {
  constructor(
    private readonly parts: {
      readonly objectTypes: Pick<ObjectTypeService, "all">;
      readonly search: Pick<ResourceService["search"], "run">;
    },
  ) {}

  async resolve(
    work: Work,
    workspaceId: string,
    { query, limit, near }: LocationLookup,
    signal: AbortSignal,
  ): Promise<LocationMatch[]> {
    const given = pointIn(query);
    if (given !== undefined) {
      const { coordinates } = given;
      const name = `${coordinates[1]}, ${coordinates[0]}`;
      const match = { name, kind: "coordinates", score: 1, geometry: given, dataset: null };
      return [near === undefined ? match : { ...match, distance: distance(near, given) }];
    }
    const types = new Map(
      (await this.parts.objectTypes.all(work, workspaceId)).flatMap((each) => {
        const type = readableFields(work, each);
        if (type === undefined) return [];
        const properties = pointProperties(type);
        const isPlace = properties.length > 0 && type.searched.length > 0;
        return isPlace ? [[type.slug, { type, properties }] as const] : [];
      }),
    );
    if (types.size === 0) return [];
    const wanted = Math.min(mostSearched, near === undefined ? limit * searchedPerMatch : Infinity);
    const { results } = await this.parts.search.run(
      work,
      workspaceId,
      { query, types: [...types.keys()], mode: "fulltext", limit: Math.max(wanted, limit) },
      signal,
    );
    const matches = results.flatMap((result) => {
      const properties = types.get(result.type)?.properties ?? [];
      return matchesOf(result, properties).map((match) => weighed(match, near));
    });
    return matches.toSorted((one, other) => other.score - one.score).slice(0, limit);
  }
}

function pointProperties({ properties }: ReadableType): string[] {
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === "geopoint" ? [name] : [],
  );
}

type Located = LocationMatch & { readonly geometry: Point };

/** One match for each point of a record. */
function matchesOf(result: SearchResult, properties: readonly string[]): Located[] {
  const { type, id, score, data } = result;
  return properties.flatMap((property) => {
    const geometry = pointOf(data[property]);
    if (geometry === undefined) return [];
    const name = nameOf(result);
    return [
      { name, kind: "record", score, geometry, properties: data, dataset: type, id, property },
    ];
  });
}

/** A stored point; its altitude does not count. */
function pointOf(value: unknown): Point | undefined {
  if (typeof value !== "object" || value === null || !("coordinates" in value)) return undefined;
  const { coordinates } = value;
  if (!Array.isArray(coordinates)) return undefined;
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return undefined;
  return { type: "Point", coordinates: [longitude, latitude] };
}

/** The matched value, or its best highlight if the value is longer than 200 characters. */
function nameOf({ data, highlights = [], id }: SearchResult): string {
  const [best] = highlights;
  if (best === undefined) return id;
  const whole = valueAt(data, best.property);
  return typeof whole === "string" && whole.length <= longestName ? whole : best.text;
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
  const metres = distance(near, match.geometry);
  return { ...match, score: match.score / (1 + metres / halfScoreMetres), distance: metres };
}

function distance(near: Point, other: Point): number {
  return Math.round(metresBetween(near, other));
}

/** The mean radius of the earth (IUGG). */
const earthRadiusMetres = 6_371_008.8;

/** Metres between two points on a sphere, by the haversine formula. */
export function metresBetween(one: Point, other: Point): number {
  const [longitude, latitude] = one.coordinates.map(radians) as [number, number];
  const [otherLongitude, otherLatitude] = other.coordinates.map(radians) as [number, number];
  const across = Math.sin((otherLongitude - longitude) / 2) ** 2;
  const along = Math.sin((otherLatitude - latitude) / 2) ** 2;
  const chord = along + Math.cos(latitude) * Math.cos(otherLatitude) * across;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

const decimal = String.raw`([+-]?\d{1,3}(?:\.\d{1,15})?)`;
const pair = new RegExp(String.raw`^\s*${decimal}\s*[,;]\s*${decimal}\s*$`);
const geoUri = new RegExp(String.raw`^\s*geo:${decimal},${decimal}(?:[,;].*)?$`, "i");

/**
 * The point of `latitude, longitude` in degrees, or of a geo URI (RFC 5870); undefined for another
 * text and for numbers outside the earth.
 */
export function pointIn(text: string): Point | undefined {
  const found = pair.exec(text) ?? geoUri.exec(text);
  if (found === null) return undefined;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { type: "Point", coordinates: [longitude, latitude] };
}
