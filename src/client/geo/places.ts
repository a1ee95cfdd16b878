import { CatalogError } from "#contract/errors.ts";
import type { LocationMatch, Point } from "#contract/resources/geo.ts";
import { given } from "#lib/given.ts";

import type { ClientCalls } from "../calls.ts";
import type { CallOptions } from "../options.ts";

/** A text, or a point as longitude and latitude in degrees. */
export type PlaceQuery = string | readonly [longitude: number, latitude: number];

/** Options of a search of places. */
export interface PlaceOptions extends CallOptions {
  /** Matches, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Prefers matches near this point: longitude, then latitude. */
  readonly near?: readonly [longitude: number, latitude: number] | undefined;
  /** Searches only these Object Types and datasets, by their slugs, and `gazetteer`. */
  readonly datasets?: readonly string[] | undefined;
}

/**
 * Returns the places that a text or a point may mean, best first (spec 4.5). A deployment that
 * knows no points gets the coordinates as a text, latitude first.
 */
export async function places(
  client: Pick<ClientCalls, "geo">,
  query: PlaceQuery,
  { limit, near, datasets, ...call }: PlaceOptions = {},
): Promise<LocationMatch[]> {
  const rest = given({ limit, near: near && pointOf(near), datasets: datasets && [...datasets] });
  const resolve = async (sought: { query: string } | { point: Point }) =>
    (await client.geo.resolveLocation({ ...call, body: { ...sought, ...rest } })).matches;
  if (typeof query === "string") return await resolve({ query });
  try {
    return await resolve({ point: pointOf(query) });
  } catch (error) {
    const isRefused = error instanceof CatalogError && [400, 422].includes(error.status ?? 0);
    if (!isRefused) throw error;
    return await resolve({ query: `${query[1]}, ${query[0]}` });
  }
}

function pointOf([longitude, latitude]: readonly [number, number]): Point {
  return { type: "Point", coordinates: [longitude, latitude] };
}
