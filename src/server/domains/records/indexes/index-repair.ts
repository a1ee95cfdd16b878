import type { Reader } from "../../../database/database.ts";
import type { Work } from "../../../work/work.ts";
import type { StoredObjectType, TypeKey } from "../../object-types/service.ts";
import type { SlotColumn } from "../../../fields/slots.ts";
import {
  fillColumns,
  lastId,
  makeIndex,
  missingIndexes,
  unfilledRows,
} from "../store/indexes/index-columns.ts";
import { fillFolds } from "./fill-folds.ts";
import { repairLinks } from "./link-check.ts";

/** Records in one transaction that only gives them their keys. */
const fillSize = 250;

/** The repairs of the indexes of records, which lose no data. */
export const indexRepair = {
  /** The indexes of records that the database lacks, by name. */
  missing: (reader: Reader): Promise<string[]> => missingIndexes(reader),

  /** Fails with `DuplicateError` for a unique index while records have equal values. */
  make: (work: Work, name: string): Promise<void> => work.write((tx) => makeIndex(tx, name)),

  /** Makes the links of records equal to the references in their data. */
  relink: (work: Work, type: StoredObjectType): Promise<void> => repairLinks(work, type),

  /** Makes the folded texts of records those of their data. */
  refold: (work: Work, type: StoredObjectType): Promise<void> => fillFolds(work, type),

  /** Fills index columns that differ from the records' data. */
  async refill(work: Work, type: TypeKey, columns: readonly SlotColumn[]): Promise<void> {
    const upToId = await lastId(work.read, type);
    for (let afterId: string | undefined = ""; afterId !== undefined;) {
      const range = { afterId, upToId, limit: fillSize };
      const { rows, lastId: last } = await unfilledRows(work.read, type, columns, range);
      await work.write((tx) => fillColumns(tx, type, columns, rows));
      afterId = last;
    }
  },
};
