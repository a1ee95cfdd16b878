import { AsyncLocalStorage } from "node:async_hooks";
import type { ChangeNote } from "../work/work.ts";

/** Holds the facts of the running request's change. */
export interface NoteHolder {
  note: ChangeNote | undefined;
}

const current = new AsyncLocalStorage<NoteHolder>();

/** Runs a request's handler; {@link noteChange} below it fills the holder. */
export function collectingNotes<T>(holder: NoteHolder, work: () => T): T {
  return current.run(holder, work);
}

/**
 * Notes what the running request changes; without a request it does nothing. Call it in the
 * transaction of the change: one that runs again replaces the note.
 */
export function noteChange(note: ChangeNote): void {
  const holder = current.getStore();
  if (holder !== undefined) holder.note = { ...holder.note, ...note };
}

export function noteHolder(): NoteHolder | undefined {
  return current.getStore();
}
