import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Database } from "../../../database/database.ts";
import type { Work } from "../../../work/work.ts";
import { recordById } from "../store/records.ts";
import { listRecords } from "../store/read/record-pages.ts";
import { creationOrder } from "../store/read/sort.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import { resourceOf } from "../record.ts";

const lookupLimit = 100;

export interface FoundRecord {
  readonly id: string;
  readonly data: JsonObject;
}

/** Records for other domains. An Object Type that the workspace does not have has no records. */
export interface RecordLookup {
  findRecord(
    work: Work,
    workspaceId: string,
    objectType: string,
    id: string,
  ): Promise<FoundRecord | undefined>;
  /** The first 100 records that match a filter, oldest first. */
  findRecords(
    work: Work,
    workspaceId: string,
    objectType: string,
    where: JsonObject,
  ): Promise<readonly FoundRecord[]>;
}

/** Whether a workflow or its binding is in use: `active` is the default status (spec 2.9). */
export function isActive({ data }: FoundRecord): boolean {
  return (data["status"] ?? "active") === "active";
}

export class ResourceLookup implements RecordLookup {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly objectTypes: ObjectTypeService;
    },
  ) {}

  async findRecord(
    { read }: Work,
    workspaceId: string,
    slug: string,
    id: string,
  ): Promise<Resource | undefined> {
    const type = await this.parts.objectTypes.find(workspaceId, slug);
    if (type === undefined) return undefined;
    const record = await recordById(read, type, id);
    return record === undefined ? undefined : resourceOf(type, record);
  }

  async findRecords(
    work: Work,
    workspaceId: string,
    slug: string,
    where: JsonObject,
  ): Promise<readonly Resource[]> {
    const type = await this.parts.objectTypes.find(workspaceId, slug);
    if (type === undefined) return [];
    const { records } = await listRecords(
      { ...this.parts.database, read: work.read, scan: work.scan },
      {
        type,
        condition: requireCondition(where, ["where"], [type]),
        keys: creationOrder(),
        after: undefined,
        offset: 0,
        limit: lookupLimit,
      },
    );
    return records.map((record) => resourceOf(type, record));
  }
}
