import type { Client } from "#client/surface.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { valueText } from "../../kit/output/rows.ts";
import type { SyncedProperties } from "./properties.ts";

/** Records that are compared together; their keys are in one query. */
export const comparedAtOnce = 100;

export interface SyncSides {
  readonly from: Client;
  readonly to: Client;
  readonly type: string;
  readonly key: string;
  readonly where: JsonObject | undefined;
  readonly properties: SyncedProperties;
  /** Counts values of the target that stay, because the source shows and confirms none. */
  readonly hidden: Map<string, number>;
  readonly signal: AbortSignal;
}

/** The records with these values of a unique property, by the text of the value. */
export async function recordsByKey(
  client: Client,
  type: string,
  key: string,
  asked: {
    readonly keys: readonly (string | number | boolean)[];
    readonly fields: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<string, Resource>> {
  const { keys, fields, signal } = asked;
  if (keys.length === 0) return new Map();
  const where = { [key]: { $in: [...keys] } };
  const found = await recordsOf(client, type, { where, fields, signal });
  return new Map(found.map((record) => [valueText(ownMember(record.data, key)), record]));
}

/** All records of a filter. */
export async function recordsOf(
  client: Client,
  type: string,
  asked: {
    readonly where: JsonObject;
    readonly fields: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Resource[]> {
  const { where, fields, signal } = asked;
  const found: Resource[] = [];
  const options = { where, fields: [...fields], pageSize: comparedAtOnce, signal };
  for await (const { items } of client.useResources(type).pages(options)) found.push(...items);
  return found;
}

/** True for a value by which a record can be found. */
export function isKey(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}
