import { Refusal } from "#contract/problems.ts";
import type { VersionMatch } from "../../../work/caller.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { Overtaken, underType } from "../current-type.ts";
import { dataOf } from "../record.ts";
import {
  deletedByOperation,
  lastOperation,
  numberedRecord,
  ownDeletion,
  removeTraces,
  type NumberedRecord,
} from "../store/erased-records.ts";
import { requireWritable } from "../rights/permitted-data.ts";
import { eraseChanges } from "../store/erased-changes.ts";
import { recordById, recordsByIds } from "../store/records.ts";
import type { DeletionScope, RecordDeletions } from "../write/delete-records.ts";
import type { WriteServices } from "../write/write-unit.ts";
import { applyDeletion } from "./apply.ts";
import { addValues, type ErasedValues } from "./erased-values.ts";
import { planDeletion } from "./plan.ts";
import { underAllTypes } from "./under-all-types.ts";

export interface ErasedRecords extends ErasedValues {
  readonly ids: readonly string[];
}

/** Called in the transaction that removes the histories. */
type NoteErased = (tx: Transaction, ids: readonly string[]) => Promise<void>;

/** Erasures of records: nothing of them stays, and nothing brings them back. */
export class RecordErasures {
  constructor(
    private readonly services: WriteServices,
    private readonly deletions: RecordDeletions,
    private readonly onFilesReleased: () => void,
  ) {}

  /**
   * Erases a record that exists, is deleted or was, and the records that its deletion deletes or
   * has deleted. 404 without it, 409 where references forbid its deletion.
   */
  erase(
    work: Work,
    scope: DeletionScope,
    { id, ifMatch }: { readonly id: string; readonly ifMatch: VersionMatch | undefined },
    note: NoteErased,
  ): Promise<ErasedRecords> {
    const { objectTypes } = this.services;
    const { workspaceId, slug } = scope;
    return underType(work, objectTypes, workspaceId, slug, async (type) => {
      requireWritable(work, type);
      const isPresent = (await recordById(work.read, type, id)) !== undefined;
      const known = await numberedRecord(work.read, workspaceId, id);
      if (known?.typeNumber !== type.number) throw new Refusal("not-found");
      // The deletion and the rest are two units: to repeat the request completes it.
      if (isPresent) await this.deletions.single(work, scope, { id, ifMatch });
      const operation = await (isPresent ? lastOperation : ownDeletion)(work.read, workspaceId, id);
      return this.#erase(work, type, { ...known, operation }, note);
    });
  }

  /**
   * Erases a record that a restored backup still has. Other records keep their references to it,
   * unless a deletion clears them.
   */
  async eraseListed(
    work: Work,
    workspaceId: string,
    id: string,
    note: NoteErased,
  ): Promise<ErasedRecords | undefined> {
    const { objectTypes, ids, now } = this.services;
    const known = await numberedRecord(work.read, workspaceId, id);
    const all = await objectTypes.all(work, workspaceId);
    const named = all.find(({ number }) => number === known?.typeNumber);
    if (known === undefined || named === undefined) return undefined;
    return underType(work, objectTypes, workspaceId, named.slug, async (type) => {
      await underAllTypes(objectTypes, work, workspaceId, async (tx, types) => {
        const record = await recordById(tx, type, id);
        if (record === undefined) return;
        const root = { type, record, data: dataOf(type, record), root: 0 };
        const plan = await planDeletion(tx, types, [root]);
        const at = now();
        const operationId = ids.next(at);
        const noted = { at: at.toISOString(), actor: work.scope.caller, keepUntil: undefined };
        await applyDeletion(tx, { ...plan, deleted: [root] }, (rootId) => ({
          ...noted,
          rootId,
          operationId,
        }));
      });
      return this.#erase(work, type, known, note);
    });
  }

  async #erase(
    work: Work,
    type: CompiledType,
    record: NumberedRecord & { readonly operation?: string | undefined },
    note: NoteErased,
  ): Promise<ErasedRecords> {
    const { workspaceId } = type;
    const { operation } = record;
    const others =
      operation === undefined ? [] : await deletedByOperation(work.read, workspaceId, operation);
    const records = [record, ...others.filter(({ id }) => id !== record.id)];
    const ids = records.map(({ id }) => id);
    const quoted = { words: new Set<string>(), values: new Set<string>() };
    for (const id of ids) await addValues(work.read, workspaceId, id, quoted);
    await eraseChanges(work, workspaceId, ids);
    const types = await this.services.objectTypes.all(work, workspaceId);
    await work.write(async (tx) => {
      for (const [number, ofType] of Map.groupBy(records, ({ typeNumber }) => typeNumber)) {
        const own = ofType.map(({ id }) => id);
        // A restore may have come first.
        if ((await recordsByIds(tx, { workspaceId, number }, own)).size > 0) throw new Overtaken();
      }
      await removeTraces(tx, workspaceId, records);
      await note(tx, ids);
      for (const { id, typeNumber } of records) {
        const slug = types.find(({ number }) => number === typeNumber)?.slug ?? "";
        tx.event("record", id, workspaceId, { op: "erased", type: slug });
      }
      tx.afterCommit(this.onFilesReleased);
    });
    await this.services.words.removeUnused(workspaceId, quoted.words);
    return { ids, ...quoted };
  }
}
