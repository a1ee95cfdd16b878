import type { LocationLookup, LocationMatch, Point } from "#contract/geo.ts";
import type { SearchResult } from "#contract/resources/search.ts";
import type { JsonObject } from "#contract/values.ts";
import type { CompiledType, ObjectTypeService } from "../object-types/service.ts";
import type { ResourceService } from "../records/service.ts";
import { metresBetween, pointIn } from "./distance.ts";

/** Records that are searched for each wanted match: some have no point. */
const searchedPerMatch = 4;
const mostSearched = 100;
/** The score of a match so far from `near` is half of what its words give. */
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
      (await this.parts.objectTypes.all(workspaceId)).flatMap((type) => {
        const properties = pointProperties(type);
        const isPlace = properties.length > 0 && type.searched.length > 0;
        return isPlace ? [[type.slug, { type, properties }] as const] : [];
      }),
    );
    if (types.size === 0) return [];
    const wanted = Math.min(mostSearched, near === undefined ? limit * searchedPerMatch : Infinity);
    const { results } = await this.parts.search.run(
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

function pointProperties({ stored }: CompiledType): string[] {
  return Object.entries(stored.definition.properties).flatMap(([name, { type }]) =>
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

/** The text that has the words: the whole of it where it is short. */
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
