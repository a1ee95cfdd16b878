import type { MergeableUnit } from "../../../database/database.ts";
import { insertRecord, type RecordWrite } from "../store/records.ts";
import { insertRecords } from "../store/write/write-records.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { Overtaken } from "../current-type.ts";
import { requireReferences, type ResolvedReferences } from "./references.ts";

/** A record that is checked and has only to be written. */
export interface Creation {
  readonly type: CompiledType;
  readonly write: RecordWrite;
  readonly references: ResolvedReferences | undefined;
  /** Called inside the unit (see `Context.remember`). */
  readonly remember: () => void;
}

/**
 * Each makes one record, with its history and search entry, or throws: 422 for a reference to
 * nothing, `DuplicateError`, `Overtaken` when the type has changed since the check.
 */
export const creations: MergeableUnit<Creation> = {
  // What it refers to might be deleted in the same unit, or be made in it.
  isMergeable: ({ references }) => references === undefined,
  weight: ({ write }) => write.record.data.length,
  async one(writer, { type, write, references, remember }) {
    await requireReferences(writer, references);
    if (!(await insertRecord(writer, type, write))) throw new Overtaken();
    remember();
  },
  async all(writer, items) {
    const made = new Set<string>();
    for (const [type, ofType] of Map.groupBy(items, (item) => item.type)) {
      const writes = ofType.map(({ write }) => write);
      for (const id of await insertRecords(writer, type, writes)) made.add(id);
    }
    return items.map(({ write, remember }) => {
      const isMade = made.has(write.record.id);
      if (isMade) remember();
      return isMade;
    });
  },
  isOneStatement: ([first, ...others]) => others.every(({ type }) => type === first?.type),
};
