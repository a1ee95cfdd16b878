import type { Work } from "../../../work/work.ts";
import type { StoredObjectType } from "../../object-types/service.ts";
import { unfoldedRows, writeFolds } from "../store/indexes/folds.ts";

/** Records that are read at once, and written in one transaction. */
const batchSize = 500;

/**
 * Stores the folded texts of all records of a type that lack them: those from before the order of
 * texts. `mayContinue` throws to stop it.
 */
export async function fillFolds(
  work: Work,
  type: StoredObjectType,
  mayContinue: () => void = () => {},
): Promise<void> {
  const key = { workspaceId: type.workspace_id, number: type.number };
  for (let afterId: string | undefined = ""; afterId !== undefined;) {
    mayContinue();
    const range = { afterId, limit: batchSize };
    const { rows, lastId } = await unfoldedRows(work.read, key, range);
    if (rows.length > 0) await work.write((tx) => writeFolds(tx, key, rows));
    afterId = lastId;
  }
}
