import { Refusal } from "#contract/problems.ts";
import type { BatchAnswer, BatchDeletionItem } from "#contract/resources/batch.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Facts, Work } from "../../../work/work.ts";
import type { RecordRemoval } from "../store/record-types.ts";
import { recordsByIds } from "../store/records.ts";
import { removal } from "../store/patch.ts";
import { deleteRecords } from "../store/write/write-records.ts";
import { underType } from "../current-type.ts";
import { dataOf, versionConflict } from "../record.ts";
import { requireWritable } from "./permitted-data.ts";
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
    const { objectTypes, now } = this.services;
    const note = { at: now().toISOString(), actor: work.scope.caller };
    return underType(work, objectTypes, workspaceId, slug, (type) => {
      requireWritable(work, type);
      return work.write(async (tx) => {
        const results = new Outcomes(request, 204);
        const ids = request.items.map(({ id }) => id);
        const present = await recordsByIds(tx, type, ids);
        const removals = new Map<number, RecordRemoval>();
        request.items.forEach(({ id, version, ifMatch }, index) => {
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
        });
        results.requireNoneFailed();
        const released = await deleteRecords(tx, type, [...removals.values()], note);
        for (const [index, removed] of removals) results.succeed(index, removed);
        remember?.(results.answer(), tx);
        if (released > 0) tx.afterCommit(this.onFilesReleased);
        return results;
      });
    });
  }
}
