import { indexedValues } from "../../../fields/slots.ts";
import type { Transaction } from "../../../work/work.ts";
import { linksOf, withoutReferences } from "../../object-types/service.ts";
import { Overtaken } from "../current-type.ts";
import { removal } from "../store/patch.ts";
import type { DeletionNote } from "../store/record-types.ts";
import { deleteRecords, updateRecords } from "../store/write/write-records.ts";
import { nextVersion } from "../write/update-records.ts";
import type { Affected, Clearing, DeletionPlan } from "./plan.ts";

/**
 * Deletes and changes what a plan says, each root as its own operation. Returns the number of files
 * that were released.
 */
export async function applyDeletion(
  tx: Transaction,
  { deleted, cleared }: DeletionPlan,
  noteOf: (rootId: string) => DeletionNote,
): Promise<number> {
  let released = 0;
  // A record that several roots clear has a version for each of them.
  const latest = new Map<string, Affected>();
  const clearedBy = Map.groupBy(cleared, ({ root }) => root);
  for (const [root, ofRoot] of Map.groupBy(deleted, (node) => node.root)) {
    // The root of a deletion comes first.
    const note = noteOf(ofRoot[0]?.record.id ?? "");
    for (const [type, nodes] of Map.groupBy(ofRoot, (node) => node.type)) {
      const removals = nodes.map(({ record: { id, version }, data }) => ({
        id,
        version: version + 1,
        changes: removal(data),
        data,
        indexed: indexedValues(type.columns, data),
        links: linksOf(type.rules, data),
      }));
      released += await deleteRecords(tx, type, removals, note);
    }
    await clear(tx, clearedBy.get(root) ?? [], { note, latest });
  }
  return released;
}

async function clear(
  tx: Transaction,
  clearings: readonly Clearing[],
  { note, latest }: { readonly note: DeletionNote; readonly latest: Map<string, Affected> },
): Promise<void> {
  const { at, actor: oid, operationId, keepUntil } = note;
  for (const [type, ofType] of Map.groupBy(clearings, (one) => one.type)) {
    const changes = [...Map.groupBy(ofType, ({ record }) => record.id)].flatMap(
      ([id, ofRecord]) => {
        const before = latest.get(id) ?? ofRecord[0];
        if (before === undefined) return [];
        const { record: current, data: stored } = before;
        let data = stored;
        for (const { rule, targets } of ofRecord) data = withoutReferences(data, rule, targets);
        const checked = { data, faults: [], references: [] };
        const change = nextVersion(type, {
          current,
          stored,
          checked,
          base: [],
          at,
          oid,
          keepUntil,
        });
        latest.set(id, { ...before, record: change.record, data });
        return [{ ...change, operationId }];
      },
    );
    const updated = await updateRecords(tx, type, changes, () => tx);
    if (updated.size < changes.length) throw new Overtaken();
  }
}
