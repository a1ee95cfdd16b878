import { maximumPageBytes } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { HistoryItem } from "#contract/resources/reads/history.ts";
import type { JsonObject } from "#contract/values.ts";
import { pointerNames } from "#lib/json/pointer.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { Reader } from "../../../database/database.ts";
import type { Work } from "../../../work/work.ts";
import { recordById } from "../store/records.ts";
import { historyCount, historyPage, historyRow, type HistoryRow } from "../store/history.ts";
import { reverted, type PatchOperation } from "../store/patch.ts";
import { isMember } from "../write/merged-data.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages } from "../../../kit/lists/pages.ts";
import type { ReadableType } from "../../object-types/service.ts";

/** History rows per read on the way back to an old version. */
const rowsPerRead = 200;
/** History rows per read of a page; each has the values before and after a write. */
const shownAtOnce = 32;

type HistoryQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** Old versions of a record, from its current data and the stored changes (spec 4.2). */
export class ResourceHistory {
  constructor(private readonly cursors: ListCursors) {}

  /** Writes of a record, newest first; refuses 404 for an id that this type never had. */
  async page(
    work: Work,
    type: ReadableType,
    { id, query }: { readonly id: string; readonly query: HistoryQuery },
    signal: AbortSignal,
  ): Promise<ListBody<HistoryItem>> {
    const { read } = work;
    const pages = new ListPages(this.cursors, ["history", type.workspaceId, type.number, id]);
    const start = pages.start(query);
    const before = start.after === undefined ? undefined : Number(start.after[0]);
    const total = query.count === true ? await historyCount(read, type, id) : undefined;
    const rows: HistoryRow[] = [];
    const items: HistoryItem[] = [];
    let bytes = 0;
    let from: { before: number | undefined; offset: number } = { before, offset: start.offset };
    while (rows.length < start.rows && bytes <= maximumPageBytes) {
      const limit = Math.min(shownAtOnce, start.rows - rows.length);
      const step = await historyPage(read, type, id, { ...from, limit });
      for (const row of step) {
        rows.push(row);
        if (items.length === start.limit) break;
        const item = await itemOf(work, type, { id, row }, signal);
        bytes += JSON.stringify(item.changes).length;
        if (bytes > maximumPageBytes && items.length > 0) break;
        items.push(item);
      }
      const last = step.at(-1);
      if (last === undefined || step.length < limit) break;
      from = { before: last.version, offset: 0 };
    }
    if (rows.length === 0 && (await historyCount(read, type, id)) === 0) {
      throw new Refusal("not-found");
    }
    const positionOf = ({ version }: { readonly version: number }) => [version];
    const shown = items.length;
    return { items, ...pages.envelope(start, { rows, positionOf, total, shown }) };
  }

  /** The record in a version; refuses 404 for an unknown version and for the deletion. */
  async at(
    work: Work,
    type: ReadableType,
    { id, version }: { readonly id: string; readonly version: number },
    signal: AbortSignal,
  ): Promise<Resource> {
    const [row, first] = await Promise.all([
      historyRow(work.read, type, id, version),
      historyRow(work.read, type, id, 1),
    ]);
    const data =
      row === undefined || first === undefined
        ? undefined
        : await dataAt(work, type, { id, version }, signal);
    if (row === undefined || first === undefined || data === undefined) {
      throw new Refusal("not-found", { detail: `This record has no version ${version}` });
    }
    return {
      id,
      type: type.slug,
      version,
      data: type.ordered(data),
      created_at: first.at,
      updated_at: row.at,
      created_by: first.actor,
      updated_by: row.actor,
    };
  }
}

async function itemOf(
  work: Work,
  type: ReadableType,
  { id, row }: { readonly id: string; readonly row: HistoryRow },
  signal: AbortSignal,
): Promise<HistoryItem> {
  const { changes, ...item } = row;
  if (changes !== null) return { ...item, changes: readableChanges(type, changes) };
  const data = (await dataAt(work, type, { id, version: row.version }, signal)) ?? {};
  return { ...item, changes: [{ op: "add", path: "", value: type.ordered(data) }] };
}

/** The changes of the fields that the caller may read; a version of other changes has none. */
function readableChanges(type: ReadableType, changes: readonly PatchOperation[]): PatchOperation[] {
  if (!type.isPartial) return [...changes];
  return changes.flatMap((change) => {
    const [name] = pointerNames(change.path);
    if (name !== undefined) return isMember(type, name) ? [change] : [];
    if (!("value" in change) || !isJsonObject(change.value)) return [change];
    return [{ ...change, value: type.ordered(change.value) }];
  });
}

/** The data of a version, by reverting the changes since, some rows at a time. */
async function dataAt(
  { read, scan }: Work,
  type: ReadableType,
  { id, version }: { readonly id: string; readonly version: number },
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const current = await recordById(read, type, id);
  let data = current && (JSON.parse(current.data) as JsonObject);
  let before = current === undefined ? undefined : current.version + 1;
  // An old version may need many reads, which must not delay the reads of others.
  const reader: Reader =
    current !== undefined && current.version - version <= rowsPerRead
      ? read
      : scan.with({ signal, share: type.workspaceId });
  for (;;) {
    signal.throwIfAborted();
    const rows = await historyPage(reader, type, id, { before, offset: 0, limit: rowsPerRead });
    for (const row of rows) {
      if (row.version <= version) return data;
      data = reverted(data, row.changes ?? []);
    }
    const last = rows.at(-1);
    if (last === undefined) return data;
    before = last.version;
  }
}
