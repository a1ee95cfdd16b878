import { Refusal } from "#contract/problems.ts";
import type { BatchAnswer, BatchDeletionItem } from "#contract/resources/batch.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import type { RecordRemoval } from "../store/record-types.ts";
import { recordsByIds } from "../store/records.ts";
import { removal } from "../store/patch.ts";
import { deleteRecords } from "../store/write/write-records.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { underType } from "../current-type.ts";
import { dataOf, versionConflict } from "../record.ts";
import { requireWritable } from "../rights/permitted-data.ts";
import { Outcomes, singleWrite, type WriteRequest } from "./outcomes.ts";
import type { WriteScope, WriteServices } from "./write-unit.ts";

interface Deletion extends BatchDeletionItem {
  readonly ifMatch?: VersionMatch | undefined;
}

export class RecordDeletions {
  constructor(
    private readonly services: WriteServices,
    private readonly onFilesReleased: () => void,
  ) {}

  async single(work: Work, scope: WriteScope, deletion: Deletion): Promise<void> {
    await this.#run(work, scope, singleWrite(deletion));
  }

  async batch(
    work: Work,
    scope: WriteScope,
    batch: WriteRequest<BatchDeletionItem>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<BatchAnswer> {
    return (await this.#run(work, scope, batch, remember)).answer();
  }

  #run(
    work: Work,
    { workspaceId, slug }: WriteScope,
    request: WriteRequest<Deletion>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<Outcomes> {
    return underType(work, this.services.objectTypes, workspaceId, slug, (type) => {
      requireWritable(work, type);
      return work.write(async (tx) => {
        const results = new Outcomes(request, 204);
        await this.within(tx, type, work, [...request.items.entries()], results);
        remember?.(results.answer(), tx);
        return results;
      });
    });
  }

  /** Deletes the records that these items of a request name, and notes the outcomes. */
  async within(
    tx: Transaction,
    type: CompiledType,
    { scope: { caller } }: Pick<Work, "scope">,
    entries: readonly (readonly [index: number, item: Deletion])[],
    results: Outcomes,
  ): Promise<void> {
    const note = { at: this.services.now().toISOString(), actor: caller };
    const ids = entries.map(([, { id }]) => id);
    const present = await recordsByIds(tx, type, ids);
    const removals = new Map<number, RecordRemoval>();
    for (const [index, { id, version, ifMatch }] of entries) {
      results.attempt(index, () => {
        const current = present.get(id);
        if (current === undefined) throw new Refusal("not-found");
        requireMatch(ifMatch, current.version);
        if (version !== undefined && version !== current.version) {
          throw versionConflict(current.version, []);
        }
        // A second item for the record finds it deleted.
        present.delete(id);
        const changes = removal(dataOf(type, current));
        removals.set(index, { id, version: current.version + 1, changes });
      });
    }
    results.requireNoneFailed();
    const released = await deleteRecords(tx, type, [...removals.values()], note);
    for (const [index, removed] of removals) results.succeed(index, removed);
    if (released > 0) tx.afterCommit(this.onFilesReleased);
  }
}
