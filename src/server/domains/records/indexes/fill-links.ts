import type { Work } from "../../../work/work.ts";
import {
  compileObjectType,
  linksOf,
  objectTypeById,
  type StoredObjectType,
} from "../../object-types/service.ts";
import { dataOfRow, keyedRows } from "../store/indexes/keyed-rows.ts";
import { addLinks, removeAllLinks } from "../store/links.ts";

/** Records in one transaction, so that other writes wait a few milliseconds at most. */
const batchSize = 250;

/** Makes the links of all records of a type again. `mayContinue` throws to stop it. */
export async function fillLinks(
  work: Work,
  type: StoredObjectType,
  mayContinue: () => void,
): Promise<void> {
  const key = { workspaceId: type.workspace_id, number: type.number };
  // Links of an earlier definition may be out of date.
  for (let removed = batchSize; removed === batchSize;) {
    mayContinue();
    removed = await work.write((tx) => removeAllLinks(tx, key, batchSize));
  }
  for (let afterId: string | undefined = ""; afterId !== undefined;) {
    mayContinue();
    const from: string = afterId;
    afterId = await work.write(async (tx) => {
      const stored = await objectTypeById(tx, type.workspace_id, type.id);
      if (stored === undefined) return undefined;
      const { rules } = compileObjectType(stored, tx.dialect);
      const rows = await keyedRows(tx, key, [], { afterId: from, limit: batchSize });
      const links = rows.flatMap((row) =>
        linksOf(rules, dataOfRow(row)).map((link) => ({ ...link, source: row.id })),
      );
      await addLinks(tx, key, links);
      return rows.at(-1)?.id;
    });
  }
}
