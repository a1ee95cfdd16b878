import type { Lifetime } from "../../../kit/lifetime.ts";
import type { Work } from "../../../work/work.ts";
import { forgetImports } from "../imports/import-store.ts";
import { forgetExpired } from "../store/deleted-records.ts";
import { releaseExpired } from "../store/record-files.ts";

const lookIntervalMs = 60_000;
/** Rows of one transaction; other writes wait for it. */
const rowsAtOnce = 500;

/** Ends what can no longer be restored or continued, once a minute; then bytes may be removed. */
export function startSweep(
  { lifetime, now }: { readonly lifetime: Lifetime; readonly now: () => Date },
  work: Work,
  onReleased: () => void,
): void {
  lifetime.every(lookIntervalMs, "trash-not-emptied", () => sweep(work, now, onReleased));
}

export async function sweep(work: Work, now: () => Date, onReleased: () => void): Promise<void> {
  const at = now().toISOString();
  for (let count = rowsAtOnce; count === rowsAtOnce;) {
    count = await work.write((tx) => forgetExpired(tx, at, rowsAtOnce));
  }
  for (let count = rowsAtOnce; count === rowsAtOnce;) {
    count = await work.write((tx) => forgetImports(tx, at, rowsAtOnce));
  }
  for (let count = rowsAtOnce; count === rowsAtOnce;) {
    count = await work.write((tx) => releaseExpired(tx, at, rowsAtOnce));
    if (count > 0) onReleased();
  }
}
