import type { Database, MergeableUnit } from "../../../database/database.ts";
import { updateRecord } from "../store/records.ts";
import { updateRecords, type RecordChange } from "../store/write/write-records.ts";
import { droppedFiles } from "../store/record-files.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { Overtaken } from "../current-type.ts";
import { requireReferences, type ResolvedReferences } from "./references.ts";

/** A record's next version that is checked and has only to be written. */
export interface Update {
  readonly type: CompiledType;
  readonly change: RecordChange;
  readonly references: ResolvedReferences | undefined;
  /** Called inside the unit (see `Context.remember`). */
  readonly remember: () => void;
}

/**
 * Each writes one record's next version, with its history and search entry, or throws: 422 for a
 * reference to nothing, `DuplicateError`, `Overtaken` when the record or the type has changed since.
 */
export const updates: MergeableUnit<Update> = {
  // A file that is given up is looked for among those of other records.
  isMergeable: ({ references, change }) =>
    references === undefined && droppedFiles(change.changes).length === 0,
  weight: ({ change }) => change.record.data.length,
  async one(writer, { type, change, references, remember }) {
    await requireReferences(writer, references);
    if (!(await updateRecord(writer, type, change))) throw new Overtaken();
    remember();
  },
  async all(writer, items) {
    const done = new Set<Update>();
    for (const [type, ofType] of Map.groupBy(items, (item) => item.type)) {
      const byId = new Map(ofType.map((item) => [item.change.record.id, item]));
      // In one order, so that two transactions never wait for each other.
      const ids = [...byId.keys()].toSorted();
      const changes = ids.flatMap((id) => byId.get(id)?.change ?? []);
      // Of several next versions of one record one is written; the others are overtaken by it.
      for (const id of await updateRecords(writer, type, changes)) {
        const item = byId.get(id);
        if (item !== undefined) done.add(item);
      }
    }
    return items.map((item) => {
      const isDone = done.has(item);
      if (isDone) item.remember();
      return isDone;
    });
  },
  isOneStatement: ([first, ...others]) =>
    first?.change.entry === undefined &&
    others.every(({ type, change }) => type === first?.type && change.entry === undefined),
};

const writers = new WeakMap<Database, (update: Update) => Promise<void>>();

/** Writes updates to a database, those that come at the same time together. */
export function updatesOf(database: Database): (update: Update) => Promise<void> {
  let write = writers.get(database);
  if (write === undefined) writers.set(database, (write = database.merged(updates)));
  return write;
}
