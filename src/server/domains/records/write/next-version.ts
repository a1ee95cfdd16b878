import type { CheckedRecord } from "#contract/object-types/record.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Database, Reader } from "../../../database/database.ts";
import { DuplicateError } from "../../../kit/storage-errors.ts";
import { changesSince, type StoredRecord } from "../store/records.ts";
import { changedNames, difference } from "../store/patch.ts";
import { keysOf, type ObjectTypeService, type CompiledType } from "../../object-types/service.ts";
import { conflictPatches, duplicateRefusal, textOf, versionConflict } from "../record.ts";
import type { SearchWords } from "../search/word-list.ts";
import { resolveReferences } from "./references.ts";
import { updatesOf } from "./updates.ts";

/** What a record becomes, and what it was. */
export interface NextVersion {
  readonly current: StoredRecord;
  /** The data of `current`. */
  readonly stored: JsonObject;
  readonly checked: CheckedRecord;
  /** References that must lead to a record. */
  readonly uses: readonly ReferenceUse[];
  /** Who writes it. */
  readonly oid: string;
  /** How the history calls it; `update` if absent. */
  readonly operation?: string;
  /** What the caller's answer is kept as; called inside the write unit (see `Context.remember`). */
  readonly remember?: (resource: Resource) => void;
}

/**
 * Writes a record's next version with its history, index keys and search entry, at once. Refuses
 * 422 with every fault of the data and for references to nothing, 409 for a value that another
 * record has, 413; `Overtaken` when somebody was quicker.
 */
export async function writeNextVersion(
  services: {
    readonly database: Database;
    readonly objectTypes: ObjectTypeService;
    readonly words: SearchWords;
    readonly now: () => Date;
  },
  type: CompiledType,
  next: NextVersion,
): Promise<Resource> {
  const { database, objectTypes, words, now } = services;
  const { current, stored, checked, uses, oid, operation, remember } = next;
  const record: StoredRecord = {
    ...current,
    version: current.version + 1,
    data: textOf(checked, base),
    updated_at: now().toISOString(),
    updated_by: oid,
  };
  const references = await resolveReferences(objectTypes, type.workspaceId, uses);
  const changes = difference(stored, checked.data);
  const entry = type.entryOf(checked.data, stored);
  const keys = keysOf(type.columns, checked.data);
  const noted = words.note(type.workspaceId, [entry]);
  if (noted !== undefined) await noted;
  const resource: Resource = { ...record, type: type.slug, data: type.inOrder(checked.data) };
  try {
    await updatesOf(database)({
      type,
      change: { record, keys, entry, changes, operation },
      references,
      remember: () => remember?.(resource),
    });
  } catch (error) {
    if (error instanceof DuplicateError) throw duplicateRefusal(type, error, base);
    throw error;
  }
  return resource;
}

/** Where the data stands in the request, or in what an action makes of it. */
const base = ["data"];

/** 409 for a version that is not the current one, with the fields that changed since. */
export async function conflictSince(
  reader: Reader,
  type: CompiledType,
  current: StoredRecord,
  version: number,
): Promise<Refusal> {
  const changes = await changesSince(reader, type, current.id, version, conflictPatches);
  return versionConflict(current.version, changedNames(changes));
}
