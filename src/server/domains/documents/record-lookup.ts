import type { JsonObject } from "#contract/values.ts";

/**
 * What documents and chat need of a workspace's records; `services/resources/lookup.ts` is it. An Object
 * Type that the workspace does not have has no records.
 */
export interface RecordLookup {
  findRecord(workspaceId: string, objectType: string, id: string): Promise<FoundRecord | undefined>;
  /** At most 100 records whose data has these values. */
  findRecords(
    workspaceId: string,
    objectType: string,
    where: JsonObject,
  ): Promise<readonly FoundRecord[]>;
}

export interface FoundRecord {
  readonly id: string;
  readonly data: JsonObject;
}

/** Whether a workflow or its binding is in use: `active` is the status by default (spec 2.9). */
export function isActive({ data }: FoundRecord): boolean {
  return (data["status"] ?? "active") === "active";
}
