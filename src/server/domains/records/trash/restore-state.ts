import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { Overtaken, readableIn } from "../current-type.ts";
import { underAllTypes } from "../delete/under-all-types.ts";
import { dataOf, resourceOf } from "../record.ts";
import { recordById } from "../store/records.ts";
import { updateRecords } from "../store/write/write-records.ts";
import { requireRestorable } from "../rights/permitted-data.ts";
import { nextVersion } from "../write/update-records.ts";
import type { WriteServices } from "../write/write-unit.ts";
import { checkedState, checkTargets, checkUnique, restoreFiles } from "./check.ts";
import { notRestorable, type RestoreConflict } from "./conflicts.ts";
import { restorableUntil } from "../../../kit/limits.ts";

/** An earlier state of a record that exists. */
export interface EarlierState {
  readonly type: CompiledType;
  readonly id: string;
  readonly state: JsonObject;
  readonly ifMatch: VersionMatch | undefined;
}

/** Gives a record the data and files of an earlier version, as its next version. */
export function restoreState(
  services: WriteServices,
  work: Work,
  earlier: EarlierState,
): Promise<Resource> {
  const { type, id, state, ifMatch } = earlier;
  const { now, trashDays, objectTypes } = services;
  const conflicts: RestoreConflict[] = [];
  const data = checkedState({ type, id, data: state }, conflicts);
  if (conflicts.length > 0) throw notRestorable(work, [type], conflicts);
  const restoring = { type, id, data };
  return underAllTypes(objectTypes, work, type.workspaceId, async (tx: Transaction, types) => {
    const found: RestoreConflict[] = [];
    const current = await recordById(tx, type, id);
    if (current === undefined) throw new Refusal("not-found");
    requireMatch(ifMatch, current.version);
    const stored = dataOf(type, current);
    requireRestorable(work, type, stored, data);
    await checkUnique(tx, [restoring], found);
    await checkTargets(tx, types, [restoring], found);
    const date = now();
    const keepUntil = restorableUntil(date, trashDays);
    const kept = { until: keepUntil, version: current.version };
    const at = date.toISOString();
    await restoreFiles(tx, restoring, stored, { kept, now: at, conflicts: found });
    if (found.length > 0) throw notRestorable(work, types, found);
    const change = nextVersion(type, {
      current,
      stored,
      checked: { data, faults: [], references: [] },
      base: [],
      at,
      oid: work.scope.caller,
      keepUntil,
    });
    const next = { ...change, operation: "restore" };
    const written = await updateRecords(tx, type, [next], () => tx);
    if (written.size === 0) throw new Overtaken();
    const resource = resourceOf(readableIn(work, type), change.record);
    tx.remember(resource);
    return resource;
  });
}
