import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Work } from "../../../work/work.ts";
import { readableFields, type ObjectTypeService } from "../../object-types/service.ts";
import { resourceOf } from "../record.ts";
import { listRecords } from "../store/read/record-pages.ts";
import { creationOrder } from "../store/read/sort.ts";
import { recordById } from "../store/records.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { WriteScope } from "../write/write-unit.ts";

export interface FoundRecord {
  readonly id: string;
  readonly data: JsonObject;
}

/**
 * Records for other domains. An Object Type that the workspace does not have has no records. Those
 * of a filter configure the platform: they are whole, whatever the caller may read, and their
 * domain decides by them and shows none of their fields.
 */
export interface RecordLookup {
  /** The record as the caller may read it. */
  findRecord(
    work: Work,
    workspaceId: string,
    objectType: string,
    id: string,
  ): Promise<FoundRecord | undefined>;
  /**
   * The first 100 whole records that match a filter, oldest first. A property that the type does
   * not have is missing.
   */
  findRecords(
    work: Work,
    workspaceId: string,
    objectType: string,
    where: JsonObject,
  ): Promise<readonly FoundRecord[]>;
}

/** True if a workflow or its binding is in use: `active` is the default status (spec 2.9). */
export function isActive({ data }: FoundRecord): boolean {
  return (data["status"] ?? "active") === "active";
}

/** Maximum number of records that one lookup returns. */
const lookupLimit = 100;

/** The record as the caller may read it; undefined without it. */
export async function lookedUpRecord(
  work: Work,
  objectTypes: Pick<ObjectTypeService, "find">,
  { workspaceId, slug }: WriteScope,
  id: string,
): Promise<Resource | undefined> {
  const found = await objectTypes.find(workspaceId, slug);
  const type = found && readableFields(work, found);
  if (type === undefined) return undefined;
  const record = await recordById(work.read, type, id);
  return record === undefined ? undefined : resourceOf(type, record);
}

/** The first 100 whole records that match a filter; see {@link RecordLookup.findRecords}. */
export async function lookedUpRecords(
  work: Work,
  objectTypes: Pick<ObjectTypeService, "find">,
  { workspaceId, slug }: WriteScope,
  where: JsonObject,
): Promise<readonly Resource[]> {
  const type = await objectTypes.find(workspaceId, slug);
  if (type === undefined) return [];
  // A workspace's own definition may lack a property that the platform looks for.
  if (
    Object.keys(where).some((path) => !Object.hasOwn(type.properties, path.split(".", 1)[0] ?? ""))
  )
    return [];
  const { records } = await listRecords(work, {
    type,
    condition: requireCondition(where, ["where"], []),
    keys: creationOrder(),
    after: undefined,
    offset: 0,
    limit: lookupLimit,
  });
  return records.map((record) => resourceOf(type.whole, record));
}
