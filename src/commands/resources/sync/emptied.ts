import { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { valueText } from "../../kit/output/rows.ts";
import { recordsOf, type SyncSides } from "./sides.ts";

/** A value of the target that a record of the source does not show. */
export interface EmptiedValue {
  readonly property: string;
  readonly key: string | number | boolean;
}

/**
 * The values that the source confirms to be empty, as `property` and key. A platform may leave
 * values out that the caller must not read, and these must not empty those of the target.
 */
export async function confirmedEmpty(
  sides: SyncSides,
  emptied: readonly EmptiedValue[],
): Promise<ReadonlySet<string>> {
  const confirmed = new Set<string>();
  for (const [property, values] of Map.groupBy(emptied, (each) => each.property)) {
    const keys = values.map(({ key }) => key);
    const where = { [sides.key]: { $in: keys }, [property]: { $exists: false } };
    for (const data of await emptyRecords(sides, where, property)) {
      confirmed.add(emptiedName(property, ownMember(data, sides.key)));
    }
  }
  return confirmed;
}

/** The name of a value in the set of {@link confirmedEmpty}. */
export function emptiedName(property: string, key: unknown): string {
  return `${property}\n${valueText(key)}`;
}

async function emptyRecords(
  { from, type, key, signal }: SyncSides,
  where: JsonObject,
  property: string,
): Promise<readonly JsonObject[]> {
  try {
    const found = await recordsOf(from, type, { where, fields: [key, property], signal });
    return found
      .map(({ data }) => data)
      .filter((data) => (ownMember(data, property) ?? null) === null);
  } catch (error) {
    // A filter that the source refuses confirms nothing.
    const isRefused = error instanceof CatalogError && refused.has(error.status ?? 0);
    if (isRefused) return [];
    throw error;
  }
}

const refused: ReadonlySet<number> = new Set([400, 403, 404, 405, 422, 501]);
