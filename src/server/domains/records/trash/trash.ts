import { maximumPageBytes } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { DeletedRecord, Restoration } from "#contract/resources/restore.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages } from "../../../kit/lists/pages.ts";
import { invalid } from "../../../kit/faults.ts";
import type { VersionMatch } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import { requireReadable, underType } from "../current-type.ts";
import type { ResourceHistory } from "../read/history.ts";
import * as store from "../store/deleted-records.ts";
import { recordById } from "../store/records.ts";
import type { WriteScope, WriteServices } from "../write/write-unit.ts";
import { dataBefore, restoreDeleted } from "./restore-deleted.ts";
import { restoreState } from "./restore-state.ts";

type DeletedQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

interface RestoreRequest extends Restoration {
  readonly id: string;
  readonly ifMatch: VersionMatch | undefined;
  readonly signal: AbortSignal;
}

/** Deleted records, and earlier states of records, which can come back. */
export class RecordTrash {
  constructor(
    private readonly services: WriteServices & { readonly cursors: ListCursors },
    private readonly history: ResourceHistory,
  ) {}

  /** Deleted records of a type that can still be restored, newest first. */
  async list(
    work: Work,
    { workspaceId, slug }: WriteScope,
    query: DeletedQuery,
  ): Promise<ListBody<DeletedRecord>> {
    const { objectTypes, cursors, now } = this.services;
    const { read } = work;
    const type = await requireReadable(work, objectTypes, workspaceId, slug);
    const pages = new ListPages(cursors, ["deleted", workspaceId, type.number]);
    const start = pages.start(query);
    const [deletedAt, id] = start.after ?? [];
    const after =
      deletedAt === undefined ? undefined : { deletedAt: String(deletedAt), id: String(id) };
    const at = now().toISOString();
    const page = { after, offset: start.offset, limit: start.rows };
    const rows = await store.deletedPage(read, type, at, page);
    const total = query.count === true ? await store.countDeleted(read, type, at) : undefined;
    const items: DeletedRecord[] = [];
    let bytes = 0;
    for (const row of rows.slice(0, start.limit)) {
      const data = type.ordered(dataBefore(row));
      bytes += JSON.stringify(data).length;
      if (bytes > maximumPageBytes && items.length > 0) break;
      const { version, operationId, rootId, deletedBy, restorableUntil } = row;
      items.push({
        id: row.id,
        type: slug,
        version,
        data,
        deletedAt: row.deletedAt,
        deletedBy,
        restorableUntil,
        operationId,
        ...(rootId !== null && { deletedWith: rootId }),
      });
    }
    const positionOf = (row: store.DeletedRecord) => [row.deletedAt, row.id];
    const shown = items.length;
    return { items, ...pages.envelope(start, { rows, positionOf, total, shown }) };
  }

  /**
   * Brings back an earlier state of a record, or a deleted one. 404 without it, 409 with the list
   * of what prevents it.
   */
  restore(
    work: Work,
    { workspaceId, slug }: WriteScope,
    { id, version, ifMatch, signal }: RestoreRequest,
  ): Promise<Resource> {
    const { objectTypes, now } = this.services;
    return underType(work, objectTypes, workspaceId, slug, async (type) => {
      const stateOf = async (given: number) =>
        (await this.history.at(work, type.whole, { id, version: given }, signal)).data;
      if ((await recordById(work.read, type, id)) !== undefined) {
        if (version === undefined) throw invalid([wantsVersion]);
        const state = await stateOf(version);
        return restoreState(this.services, work, { type, id, state, ifMatch });
      }
      const at = now().toISOString();
      const deleted = await store.deletedRecord(work.read, type, id, at);
      if (deleted === undefined) throw new Refusal("not-found");
      const state = version === undefined ? undefined : await stateOf(version);
      return restoreDeleted(this.services, work, { type, deleted, state });
    });
  }
}

const wantsVersion = {
  pointer: pointer("version"),
  detail: "is required for a record that is not deleted",
};
