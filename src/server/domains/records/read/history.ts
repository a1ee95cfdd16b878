import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import type { HistoryItem } from "#contract/resources/history.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Database, Reader } from "../../../database/database.ts";
import { recordById } from "../store/records.ts";
import { historyCount, historyPage, historyRow, type HistoryRow } from "../store/history.ts";
import { reverted } from "../store/patch.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import { ListPages } from "../../../http/lists/pages.ts";
import type { CompiledType } from "../../object-types/service.ts";

/** Writes that are read at a time on the way back to an old version. */
const stepRows = 200;

/** What a record was, from what it is and the changes that are kept (spec 4.2). */
export class ResourceHistory {
  readonly #database: Database;
  readonly #cursors: ListCursors;

  constructor(database: Database, cursors: ListCursors) {
    this.#database = database;
    this.#cursors = cursors;
  }

  /** Writes of a record, newest first; 404 for an id that never was one of this type. */
  async page(
    type: CompiledType,
    id: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
    signal: AbortSignal,
  ): Promise<ListBody<HistoryItem>> {
    const { read } = this.#database;
    const pages = new ListPages(this.#cursors, ["history", type.workspaceId, type.number, id]);
    const start = pages.start(query);
    const before = start.after === undefined ? undefined : Number(start.after[0]);
    const [rows, total] = await Promise.all([
      historyPage(read, type, id, { before, offset: start.offset, limit: start.rows }),
      query.count === true ? historyCount(read, type, id) : undefined,
    ]);
    if (rows.length === 0 && (await historyCount(read, type, id)) === 0) {
      throw new Refusal("not-found");
    }
    const items: HistoryItem[] = [];
    for (const row of rows.slice(0, start.limit)) {
      items.push(await this.#item(type, id, row, signal));
    }
    const positionOf = ({ version }: { readonly version: number }) => [version];
    return { items, ...pages.envelope(start, { rows, positionOf, total }) };
  }

  /** The record as it stood in a version; 404 for one that never was, and for its deletion. */
  async at(
    type: CompiledType,
    id: string,
    version: number,
    signal: AbortSignal,
  ): Promise<Resource> {
    const { read } = this.#database;
    // Before the way back, so that it ends where the record begins: a version has one creation.
    const [row, first] = await Promise.all([
      historyRow(read, type, id, version),
      historyRow(read, type, id, 1),
    ]);
    if (row === undefined || first === undefined) throw noSuchVersion(version);
    const data = await this.#dataAt(type, id, version, signal);
    if (data === undefined) throw noSuchVersion(version);
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

  async #item(
    type: CompiledType,
    id: string,
    { changes, ...row }: HistoryRow,
    signal: AbortSignal,
  ): Promise<HistoryItem> {
    if (changes !== null) return { ...row, changes: [...changes] };
    const data = (await this.#dataAt(type, id, row.version, signal)) ?? {};
    return { ...row, changes: [{ op: "add", path: "", value: type.ordered(data) }] };
  }

  /** From the newest data back to a version's, a bounded number of changes at a time. */
  async #dataAt(
    type: CompiledType,
    id: string,
    version: number,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const current = await recordById(this.#database.read, type, id);
    let data = current && (JSON.parse(current.data) as JsonObject);
    let before = current === undefined ? undefined : current.version + 1;
    // Reads for an old version may be many: they go where they hold nobody up.
    const reader: Reader =
      current !== undefined && current.version - version <= stepRows
        ? this.#database.read
        : this.#database.scan.with({ signal, share: type.workspaceId });
    for (;;) {
      signal.throwIfAborted();
      const rows = await historyPage(reader, type, id, { before, offset: 0, limit: stepRows });
      for (const row of rows) {
        if (row.version <= version) return data;
        data = reverted(data, row.changes ?? []);
      }
      const last = rows.at(-1);
      if (last === undefined) return data;
      before = last.version;
    }
  }
}

function noSuchVersion(version: number): Refusal {
  return new Refusal("not-found", { detail: `There is no version ${version} of this record` });
}
