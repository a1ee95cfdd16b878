import type { PropertyDefinition, PropertyType } from "#contract/object-types.ts";
import type { IndexPlan } from "#contract/storage.ts";
import { faultAt, invalid } from "../../pipeline/faults.ts";
import type { Reader } from "../../stores/database.ts";
import { objectTypesPage, recordCounts, type StoredObjectType } from "../../stores/object-types.ts";
import { isNumeric, slotCounts, slotIndex, type SlotKind } from "../../stores/resources/slots.ts";

type PlannedType = IndexPlan["objectTypes"][number];

const maximumTypes = 1_000;
/** Below this, reading every record is as fast as an index. */
const worthwhileRecords = 1_000;
/** Properties that people filter and sort by. */
const filteredTypes: ReadonlySet<PropertyType> = new Set([
  "enum",
  "reference",
  "date",
  "datetime",
  "email",
]);

/** The indexes of these types and those they lack. Writes nothing. Refuses unknown slugs. */
export async function planIndexes(
  reader: Reader,
  workspaceId: string,
  slugs: readonly string[],
): Promise<PlannedType[]> {
  const page = { workspaceId, afterId: "", limit: maximumTypes, offset: 0 };
  const [types, counts] = await Promise.all([
    objectTypesPage(reader, page),
    recordCounts(reader, workspaceId),
  ]);
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  const unknown = slugs.flatMap((slug, index) =>
    bySlug.has(slug)
      ? []
      : [faultAt("body", ["objectTypes", index], "is no Object Type of this workspace")],
  );
  if (unknown.length > 0) throw invalid(unknown);
  return [...new Set(slugs)].flatMap((slug) => {
    const type = bySlug.get(slug);
    return type === undefined ? [] : [planned(type, counts.get(type.number) ?? 0)];
  });
}

function planned(type: StoredObjectType, records: number): PlannedType {
  const kept = type.slots.filter(({ state }) => state !== "clearing");
  const has = (property: string, kinds: readonly SlotKind[]): boolean =>
    kept.some((slot) => slot.property === property && kinds.includes(slot.kind));
  const missing = Object.entries(type.definition.properties).flatMap(([property, definition]) => {
    const lacksIndex = definition.indexed === true && !has(property, ["text", "number"]);
    const lacksUnique = definition.unique === true && !has(property, ["unique"]);
    if (lacksIndex || lacksUnique) {
      const action = "Run `svc resources sync-schema --backend documentdb`";
      return [{ property, reason: "defined", action }];
    }
    if (!isWorthwhile(definition, records)) return [];
    const action = `Set "indexed": true on ${property} and run \`svc types seed\``;
    return [{ property, reason: "suggested", action }];
  });
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
    missing,
    columns: Object.fromEntries(
      (["text", "number", "unique"] as const).map((kind) => [
        kind,
        { used: used(kind), maximum: slotCounts[kind] },
      ]),
    ),
  };
}

function isWorthwhile(property: PropertyDefinition, records: number): boolean {
  if (records < worthwhileRecords || property.indexed === true) return false;
  if (property.type === "enum") {
    // Texts and numbers in one enum have no common order, so no index holds them.
    const numbers = property.enum?.filter((choice) => typeof choice === "number").length ?? 0;
    return isNumeric(property) ? numbers === property.enum?.length : numbers === 0;
  }
  return filteredTypes.has(property.type);
}
