import type { Client } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";

const pageSize = 500;

/** A record, or a feature with its geometry as the property `geometry`. */
export interface PlacedItem {
  readonly id: string;
  readonly data: JsonObject;
}

interface PlacedQuery {
  readonly where: JsonObject | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The records of an Object Type or, without one of this name, the features of a dataset. */
export async function* placedItems(
  client: Client,
  name: string,
  query: PlacedQuery,
): AsyncGenerator<PlacedItem, void, void> {
  const { where, limit, signal } = query;
  const input = { pageSize: Math.min(pageSize, limit), signal, ...given({ where }) };
  let isRead = false;
  try {
    for await (const { id, data } of client.useResources(name).all(input)) {
      isRead = true;
      yield { id, data };
    }
  } catch (error) {
    const isUnknown = error instanceof CatalogError && error.code === "E202";
    if (isRead || !isUnknown) throw error;
    yield* featuresOf(client, name, query, error);
  }
}

async function* featuresOf(
  client: Client,
  dataset: string,
  { where, limit, signal }: PlacedQuery,
  unknownType: CatalogError,
): AsyncGenerator<PlacedItem, void, void> {
  let cursor: string | undefined;
  do {
    const query = {
      limit: Math.min(pageSize, limit),
      ...given({ cursor, where: where && JSON.stringify(where) }),
    };
    const page = await client.geoFeatures
      .list({ params: { dataset }, query, signal })
      .catch((error: unknown) => {
        // A name that is neither one is reported as an Object Type.
        const isUnknown = error instanceof CatalogError && error.code === "E202";
        throw isUnknown ? unknownType : error;
      });
    for (const { id, geometry } of page.items) yield { id, data: { geometry } };
    cursor = page.hasNextPage === true ? (page.nextCursor ?? undefined) : undefined;
  } while (cursor !== undefined);
}
