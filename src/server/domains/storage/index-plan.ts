import type { PropertyDefinition, PropertyType } from "#contract/object-types/properties.ts";
import type { IndexPlan } from "#contract/workspaces/storage.ts";
import { indexableTypes, isMixed } from "#contract/object-types/definition.ts";
import { ownMember } from "#lib/own-member.ts";
import {
  allObjectTypes,
  recordCounts,
  namesNoType,
  type StoredObjectType,
} from "../object-types/service.ts";
import { slotCounts, slotIndex, type SlotKind } from "../../fields/slots.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { Reader } from "../../database/database.ts";
import type { SlowFilters, SlowPath } from "../records/service.ts";

type PlannedType = IndexPlan["objectTypes"][number];

/** With fewer records, a full read is as fast as an index. */
const worthwhileRecords = 1_000;
/** Types of properties that are often filtered and sorted by. */
const filteredTypes: ReadonlySet<PropertyType> = new Set([
  "enum",
  "reference",
  "date",
  "datetime",
  "email",
]);

/** The indexes that these types have and lack; 422 for unknown slugs. */
export async function planIndexes(
  reader: Reader,
  slowFilters: SlowFilters,
  workspaceId: string,
  slugs: readonly string[],
): Promise<PlannedType[]> {
  const [types, counts] = await Promise.all([
    allObjectTypes(reader, workspaceId),
    recordCounts(reader, workspaceId),
  ]);
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  const unknown = slugs.flatMap((slug, index) =>
    bySlug.has(slug) ? [] : [faultAt("body", ["objectTypes", index], namesNoType(slug))],
  );
  if (unknown.length > 0) throw invalid(unknown);
  return [...new Set(slugs)].flatMap((slug) => {
    const type = bySlug.get(slug);
    if (type === undefined) return [];
    const slow = slowFilters.of(workspaceId, type.number);
    return [planned(type, counts.get(type.number) ?? 0, slow)];
  });
}

function planned(type: StoredObjectType, records: number, slow: readonly SlowPath[]): PlannedType {
  const kept = type.slots.filter(({ state }) => state !== "clearing");
  const has = (property: string, kinds: readonly SlotKind[]): boolean =>
    kept.some((slot) => slot.property === property && kinds.includes(slot.kind));
  const { properties } = type.definition;
  const suggested = Object.entries(properties).flatMap(([property, definition]) => {
    const lacksIndex = definition.indexed === true && !has(property, ["text", "number"]);
    const lacksUnique = definition.unique === true && !has(property, ["unique"]);
    if (lacksIndex || lacksUnique) {
      const action = "Run `svc resources sync-schema --backend documentdb`";
      return [{ property, reason: "defined", action }];
    }
    if (slow.some(({ path }) => path === property)) return [];
    if (!isWorthwhile(definition, records)) return [];
    return [{ property, reason: "suggested", action: settingIndex(property) }];
  });
  const missed = records < worthwhileRecords ? [] : slow.flatMap((seen) => slowly(type, seen));
  const used = (kind: SlotKind): number => type.slots.filter((slot) => slot.kind === kind).length;
  return {
    objectType: type.slug,
    records,
    indexes: kept.map((slot) => ({
      property: slot.property,
      kind: slot.kind,
      index: slotIndex(slot),
      state: slot.state,
    })),
    missing: [...missed, ...suggested],
    columns: Object.fromEntries(
      (["text", "number", "unique"] as const).map((kind) => [
        kind,
        { used: used(kind), maximum: slotCounts[kind] },
      ]),
    ),
  };
}

/** A path that was slow to filter or sort by; nothing when it already has an index. */
function slowly(
  { definition, slots }: StoredObjectType,
  { path, requests, slowestMs }: SlowPath,
): PlannedType["missing"] {
  if (slots.some(({ property, state }) => property === path && state !== "clearing")) return [];
  const property = ownMember(definition.properties, path);
  if (property?.indexed === true) return [];
  const action =
    property !== undefined && indexableTypes.has(property.type) && !isMixed(property.enum)
      ? settingIndex(path)
      : "No index is possible: also filter by a plain property of the record";
  return [{ property: path, reason: "slow", action, requests, slowestMs }];
}

function settingIndex(property: string): string {
  return `Set "indexed": true on ${property} and run \`svc types seed\``;
}

function isWorthwhile(property: PropertyDefinition, records: number): boolean {
  if (records < worthwhileRecords || property.indexed === true) return false;
  // Texts and numbers in one enum have no common order for an index.
  return filteredTypes.has(property.type) && !isMixed(property.enum);
}
