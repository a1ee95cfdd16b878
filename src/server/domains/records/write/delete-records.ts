import { Refusal } from "#contract/problems.ts";
import type { BatchAnswer, BatchDeletionItem } from "#contract/resources/batch.ts";
import type { DeletionPreview } from "#contract/resources/deletions.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { applyDeletion } from "../delete/apply.ts";
import { planDeletion, type Affected, type DeletionPlan } from "../delete/plan.ts";
import { previewOf } from "../delete/preview.ts";
import { stillReferenced, tooLarge } from "../delete/refuse.ts";
import { restorableUntil } from "../../../kit/limits.ts";
import { underAllTypes } from "../delete/under-all-types.ts";
import { recordById, recordsByIds } from "../store/records.ts";
import { readUnderType, underType } from "../current-type.ts";
import { dataOf, versionConflict } from "../record.ts";
import { requireWritable } from "../rights/permitted-data.ts";
import { Outcomes, singleWrite, type WriteRequest } from "./outcomes.ts";
import type { WriteScope, WriteServices } from "./write-unit.ts";

interface Deletion extends BatchDeletionItem {
  readonly ifMatch?: VersionMatch | undefined;
}

/** The scope of deletions; `mayRead`: the caller may see the records that refer to others. */
export interface DeletionScope extends WriteScope {
  readonly mayRead?: boolean | undefined;
}

/** The type whose records are deleted, and all types of the workspace. */
interface DeletedTypes {
  readonly type: CompiledType;
  readonly types: readonly CompiledType[];
  readonly mayRead?: boolean | undefined;
}

/** Deletions of records, with what the `onDelete` of references to them says. */
export class RecordDeletions {
  constructor(
    private readonly services: WriteServices,
    private readonly onFilesReleased: () => void,
  ) {}

  async single(work: Work, scope: DeletionScope, deletion: Deletion): Promise<void> {
    await this.#run(work, scope, singleWrite(deletion));
  }

  async batch(
    work: Work,
    scope: DeletionScope,
    batch: WriteRequest<BatchDeletionItem>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<BatchAnswer> {
    return (await this.#run(work, scope, batch, remember)).answer();
  }

  /** Everything that the deletion of a record would do; 404 without it. */
  async preview(
    work: Work,
    { workspaceId, slug }: WriteScope,
    id: string,
  ): Promise<DeletionPreview> {
    const { objectTypes } = this.services;
    return readUnderType(work, objectTypes, workspaceId, slug, async (type) => {
      const record = await recordById(work.read, type, id);
      if (record === undefined) throw new Refusal("not-found");
      const root = { type, record, data: dataOf(type, record), root: 0 };
      const types = await objectTypes.all(work, workspaceId);
      return previewOf(work, await planDeletion(work.read, types, [root]));
    });
  }

  #run(
    work: Work,
    scope: DeletionScope,
    request: WriteRequest<Deletion>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<Outcomes> {
    const { objectTypes } = this.services;
    const { workspaceId, slug } = scope;
    return underType(work, objectTypes, workspaceId, slug, (type) => {
      requireWritable(work, type);
      return underAllTypes(objectTypes, work, workspaceId, async (tx, types) => {
        const results = new Outcomes(request, 204);
        const { mayRead } = scope;
        await this.within(
          tx,
          { type, types, mayRead },
          work,
          [...request.items.entries()],
          results,
        );
        remember?.(results.answer(), tx);
        return results;
      });
    });
  }

  /**
   * Deletes the records that these items of a request name, and notes the outcomes. Returns the ids
   * of all records that it has deleted or changed.
   */
  async within(
    tx: Transaction,
    { type, types, mayRead = true }: DeletedTypes,
    work: Work,
    entries: readonly (readonly [index: number, item: Deletion])[],
    results: Outcomes,
  ): Promise<readonly string[]> {
    const { now, ids, trashDays } = this.services;
    const { caller: actor } = work.scope;
    const date = now();
    const keepUntil = restorableUntil(date, trashDays);
    const note = { at: date.toISOString(), actor, keepUntil };
    const roots = await rootsOf(tx, type, entries, results);
    results.requireNoneFailed();
    const plan = await allowedPlan(tx, work, types, { roots, results, mayRead });
    const noteOf = (rootId: string) => ({ ...note, rootId, operationId: ids.next(date) });
    const released = await applyDeletion(tx, plan, noteOf);
    for (const { root, record } of plan.roots) {
      results.succeed(root, { id: record.id, version: record.version + 1 });
    }
    if (released > 0) tx.afterCommit(this.onFilesReleased);
    return [...plan.deleted, ...plan.cleared].map(({ record }) => record.id);
  }
}

/** The records that the items name; the others are refused. */
async function rootsOf(
  tx: Transaction,
  type: CompiledType,
  entries: readonly (readonly [index: number, item: Deletion])[],
  results: Outcomes,
): Promise<Affected[]> {
  const ids = entries.map(([, { id }]) => id);
  const present = await recordsByIds(tx, type, ids);
  const roots: Affected[] = [];
  for (const [index, { id, version, ifMatch }] of entries) {
    results.attempt(index, () => {
      const record = present.get(id);
      if (record === undefined) throw new Refusal("not-found");
      requireMatch(ifMatch, record.version);
      if (version !== undefined && version !== record.version) {
        throw versionConflict(record.version, []);
      }
      // A second item for the record finds it deleted.
      present.delete(id);
      roots.push({ type, record, data: dataOf(type, record), root: index });
    });
  }
  return roots;
}

/** The plan of those roots that nothing forbids to delete; the others are refused. */
async function allowedPlan(
  tx: Transaction,
  work: Work,
  types: readonly CompiledType[],
  given: { readonly roots: Affected[]; readonly results: Outcomes; readonly mayRead: boolean },
): Promise<DeletionPlan & { readonly roots: readonly Affected[] }> {
  const { results, mayRead } = given;
  for (let { roots } = given; ;) {
    const plan = await planDeletion(tx, types, roots);
    if (plan.blocked.size === 0 && plan.tooLarge.size === 0) return { ...plan, roots };
    for (const root of plan.tooLarge) results.refuse(root, tooLarge());
    for (const [root, blocked] of plan.blocked) {
      results.refuse(root, stillReferenced(work, blocked, mayRead));
    }
    results.requireNoneFailed();
    // A record that stays may forbid the deletion of others.
    roots = roots.filter(({ root }) => !plan.blocked.has(root) && !plan.tooLarge.has(root));
  }
}
