const dayMs = 24 * 60 * 60 * 1000;

/** The time until which what is deleted now can be restored; undefined without a trash. */
export function restorableUntil(now: Date, trashDays: number): string | undefined {
  return trashDays > 0 ? new Date(now.getTime() + trashDays * dayMs).toISOString() : undefined;
}
