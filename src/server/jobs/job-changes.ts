import type { Reader } from "../database/database.ts";
import { jobRevisions, type JobKey, type JobRevision } from "./store.ts";

interface Watched {
  readonly key: JobKey;
  readonly listeners: Set<() => void>;
  revision: number | undefined;
}

/**
 * Notifies listeners of committed changes to a job, perhaps twice for one; they read the job from
 * the store. On PostgreSQL it also polls, because other processes may change the job.
 */
export class JobChanges {
  readonly #watched = new Map<string, Watched>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly read: Reader,
    private readonly pollMs: number,
  ) {}

  /** Adds a listener, and returns the unsubscribe function. */
  listen(key: JobKey, listener: () => void): () => void {
    const name = nameOf(key);
    const watched = this.#watched.get(name) ?? { key, listeners: new Set(), revision: undefined };
    this.#watched.set(name, watched);
    watched.listeners.add(listener);
    this.#schedule();
    return () => {
      watched.listeners.delete(listener);
      const isLast = watched.listeners.size === 0 && this.#watched.get(name) === watched;
      if (isLast) this.#watched.delete(name);
    };
  }

  emit(key: JobKey): void {
    for (const listener of this.#watched.get(nameOf(key))?.listeners ?? []) listener();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watched.clear();
  }

  #schedule(): void {
    if (this.read.dialect === "sqlite" || this.#timer !== undefined || this.#closed) return;
    if (this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#poll().catch(() => {});
    }, this.pollMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    try {
      const keys = [...this.#watched.values()].map(({ key }) => key);
      const revisions = await jobRevisions(this.read, keys);
      for (const revision of revisions) this.#note(revision);
    } catch {
      // The database does not answer; the next poll tries again.
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }

  #note({ revision, ...key }: JobRevision): void {
    const watched = this.#watched.get(nameOf(key));
    if (watched === undefined || watched.revision === revision) return;
    watched.revision = revision;
    this.emit(key);
  }
}

function nameOf({ workspaceId, id }: JobKey): string {
  return `${workspaceId}/${id}`;
}
