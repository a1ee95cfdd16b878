import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { indexedValues, keysOf } from "../../../fields/slots.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { linkChange, type CompiledType } from "../../object-types/service.ts";
import { Overtaken, readableIn } from "../current-type.ts";
import { underAllTypes } from "../delete/under-all-types.ts";
import { dataOf, resourceOf } from "../record.ts";
import {
  clearedBy,
  deletedBy,
  forgetDeleted,
  type DeletedRecord,
} from "../store/deleted-records.ts";
import { historyRow } from "../store/history.ts";
import { reverted, revertedWhereSame, type PatchOperation } from "../store/patch.ts";
import type { RecordChange } from "../store/record-types.ts";
import { recordById } from "../store/records.ts";
import { reviveRecords } from "../store/write/revive-records.ts";
import { updateRecords } from "../store/write/write-records.ts";
import { requireRestorable } from "../rights/permitted-data.ts";
import { nextVersion } from "../write/update-records.ts";
import type { WriteServices } from "../write/write-unit.ts";
import { checkedState, checkTargets, checkUnique, restoreFiles, type Restoring } from "./check.ts";
import { notRestorable, type RestoreConflict } from "./conflicts.ts";
import { restorableUntil } from "../../../kit/limits.ts";

interface Revival extends Restoring {
  readonly deleted: DeletedRecord;
  /** Who created the record, and when. */
  readonly made: { readonly at: string; readonly actor: string };
}

/** A deleted record, and the state that it gets; its last one if absent. */
export interface DeletedState {
  readonly type: CompiledType;
  readonly deleted: DeletedRecord;
  readonly state: JsonObject | undefined;
}

/**
 * Brings back a deleted record. If the request of its deletion named it, everything comes back that
 * the deletion has deleted and cleared; a reference that was changed since stays as it is.
 */
export async function restoreDeleted(services: WriteServices, work: Work, given: DeletedState) {
  const { objectTypes, words, now, trashDays } = services;
  const { type, deleted, state } = given;
  const { workspaceId } = type;
  const all = await objectTypes.all(work, workspaceId);
  const revivals = await revivalsOf(work, all, deleted, state);
  for (const one of revivals) requireRestorable(work, one.type, {}, one.data);
  const entries = revivals.map(({ type: of, data }) => of.entryOf(data));
  await words.note(workspaceId, entries);
  return underAllTypes(objectTypes, work, workspaceId, async (tx, types) => {
    const conflicts: RestoreConflict[] = [];
    const date = now();
    const at = date.toISOString();
    const by = { at, actor: work.scope.caller, keepUntil: restorableUntil(date, trashDays) };
    const rows = revivals.map((one) => one.deleted);
    if ((await forgetDeleted(tx, workspaceId, rows)) < rows.length) throw new Overtaken();
    await checkUnique(tx, revivals, conflicts);
    await checkTargets(tx, types, revivals, conflicts);
    for (const one of revivals) {
      const kept = { until: by.keepUntil, version: one.deleted.version };
      await restoreFiles(tx, one, {}, { kept, now: at, conflicts });
    }
    if (conflicts.length > 0) throw notRestorable(work, types, conflicts);
    for (const [of, ofType] of Map.groupBy(revivals, (one) => one.type)) {
      const changes = ofType.map((one) => changeOf(one, by));
      if ((await reviveRecords(tx, of, changes)) < changes.length) throw new Overtaken();
    }
    const references =
      deleted.rootId === null ? await setAgain(tx, types, deleted.operationId, by) : 0;
    const record = await recordById(tx, type, deleted.id);
    if (record === undefined) throw new Overtaken();
    const answer = {
      ...resourceOf(readableIn(work, type), record),
      restored: { records: revivals.length, references },
    };
    tx.remember(answer);
    return answer;
  });
}

/** The record, and those that its deletion has deleted too, with the data that they get. */
async function revivalsOf(
  work: Work,
  types: readonly CompiledType[],
  deleted: DeletedRecord,
  state: JsonObject | undefined,
): Promise<Revival[]> {
  const { operationId, rootId, id } = deleted;
  const { read: reader } = work;
  const [type] = types.filter(({ number }) => number === deleted.typeNumber);
  if (type === undefined) throw new Refusal("not-found");
  const rows = rootId === null ? await deletedBy(reader, type.workspaceId, operationId) : [deleted];
  const conflicts: RestoreConflict[] = [];
  const revivals: Revival[] = [];
  for (const row of rows) {
    const of = types.find(({ number }) => number === row.typeNumber);
    const made = of && (await historyRow(reader, of, row.id, 1));
    if (of === undefined || made === undefined) continue;
    const last = (row.id === id ? state : undefined) ?? dataBefore(row);
    const data = checkedState({ type: of, id: row.id, data: last }, conflicts);
    revivals.push({ type: of, id: row.id, data, deleted: row, made });
  }
  if (conflicts.length > 0) throw notRestorable(work, types, conflicts);
  return revivals;
}

/** The data of a record before its deletion. */
export function dataBefore({ changes }: Pick<DeletedRecord, "changes">): JsonObject {
  // Only the platform writes the column.
  return reverted(undefined, JSON.parse(changes) as PatchOperation[]) ?? {};
}

interface Restorer {
  readonly at: string;
  readonly actor: string;
  readonly keepUntil: string | undefined;
}

function changeOf({ type, id, data, deleted, made }: Revival, by: Restorer): RecordChange {
  return {
    record: {
      id,
      version: deleted.version + 1,
      data: JSON.stringify(data),
      created_at: made.at,
      created_by: made.actor,
      updated_at: by.at,
      updated_by: by.actor,
    },
    keys: keysOf(type.columns, data),
    indexed: indexedValues(type.columns, data),
    entry: type.entryOf(data),
    links: linkChange(type.rules, {}, data),
    changes: [{ op: "add", path: "", value: data }],
    operation: "restore",
    operationId: deleted.operationId,
  };
}

/** Sets the references again that a deletion has cleared; returns how many records changed. */
async function setAgain(
  tx: Transaction,
  types: readonly CompiledType[],
  operationId: string,
  { at, actor: oid, keepUntil }: Restorer,
): Promise<number> {
  const workspaceId = types[0]?.workspaceId ?? "";
  let count = 0;
  for (const { id, typeNumber, changes } of await clearedBy(tx, workspaceId, operationId)) {
    const type = types.find(({ number }) => number === typeNumber);
    const current = type && (await recordById(tx, type, id));
    if (type === undefined || current === undefined) continue;
    const stored = dataOf(type, current);
    // Only the platform writes the column.
    const patch = JSON.parse(changes) as PatchOperation[];
    const data = type.ordered(revertedWhereSame(stored, patch));
    const checked = { data, faults: [], references: [] };
    const change = nextVersion(type, { current, stored, checked, base: [], at, oid, keepUntil });
    if (change.changes.length === 0) continue;
    const write = { ...change, operation: "restore", operationId };
    if ((await updateRecords(tx, type, [write], () => tx)).size === 0) throw new Overtaken();
    count += 1;
  }
  return count;
}
