import { deleteMissing, missingRecords, type MissingRecord } from "../imports/missing.ts";
import { isKey, recordsByKey, type SyncSides } from "./sides.ts";
import { valueText } from "../../kit/output/rows.ts";
import type { SyncReport } from "./report.ts";

/** Records whose keys are looked up together. */
const lookedUpAtOnce = 100;

/**
 * Deletes records of the target that the source does not have. Each is looked up in the source once
 * more, because the pages of a list may lose a record while others are deleted. Records of the
 * target without a key stay.
 */
export async function removeMissing(
  sides: SyncSides,
  {
    keys,
    before,
    isPlan,
  }: {
    readonly keys: ReadonlyMap<string, number>;
    readonly before: string;
    readonly isPlan: boolean;
  },
): Promise<Pick<SyncReport, "missing" | "deleted" | "kept">> {
  const { to, type, key, signal } = sides;
  const asked = { type, key, keys, before, signal };
  const missing = await confirmedMissing(sides, await missingRecords(to, asked));
  if (isPlan) return { missing: missing.length, deleted: 0, kept: [] };
  return { missing: missing.length, ...(await deleteMissing(to, type, missing, signal)) };
}

async function confirmedMissing(
  { from, type, key, signal }: SyncSides,
  candidates: readonly MissingRecord[],
): Promise<readonly MissingRecord[]> {
  const missing: MissingRecord[] = [];
  for (let at = 0; at < candidates.length; at += lookedUpAtOnce) {
    const some = candidates.slice(at, at + lookedUpAtOnce).filter((each) => isKey(each.key));
    const keys = some.map((each) => each.key).filter(isKey);
    const there = await recordsByKey(from, type, key, { keys, fields: [key], signal });
    missing.push(...some.filter((each) => !there.has(valueText(each.key))));
  }
  return missing;
}
