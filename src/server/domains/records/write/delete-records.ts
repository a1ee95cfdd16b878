import { Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchDeletionItem } from "#contract/resources/batch.ts";
import { requireMatch, type VersionMatch } from "../../../http/handler.ts";
import type { RecordRemoval } from "../store/record-types.ts";
import { recordsByIds } from "../store/records.ts";
import { removal } from "../store/patch.ts";
import { deleteRecords } from "../store/write/write-records.ts";
import { underType } from "../current-type.ts";
import { dataOf, versionConflict } from "../record.ts";
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

  async single(scope: WriteScope, deletion: Deletion): Promise<void> {
    await this.#run(scope, singleWrite(deletion));
  }

  async batch(scope: WriteScope, batch: Batch<BatchDeletionItem>): Promise<BatchAnswer> {
    return (await this.#run(scope, batch)).answer();
  }

  async #run(scope: WriteScope, request: WriteRequest<Deletion>): Promise<Outcomes> {
    const { principal, workspaceId, slug } = scope;
    const { database, objectTypes, now } = this.services;
    const note = { at: now().toISOString(), actor: principal.oid };
    const { outcomes, files } = await underType(objectTypes, workspaceId, slug, (type) =>
      database.write(async (writer) => {
        const results = new Outcomes(request, 204);
        const ids = request.items.map(({ id }) => id);
        const present = await recordsByIds(writer, type, ids);
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
        const released = await deleteRecords(writer, type, [...removals.values()], note);
        for (const [index, removed] of removals) results.succeed(index, removed);
        return { outcomes: results, files: released };
      }),
    );
    if (files > 0) this.onFilesReleased();
    return outcomes;
  }
}
