import type { Database } from "../database/database.ts";
import { jobRevisions, type JobKey, type JobRevision } from "./store.ts";

interface Watched {
  readonly key: JobKey;
  readonly listeners: Set<() => void>;
  revision: number | undefined;
}

/**
 * Tells who watches a job that it has changed; what it has become they read from the store, so
 * they never see what is not committed. Several processes may work on one PostgreSQL, so
 * there the watched jobs are looked at once a second as well. A change may be told twice.
 */
export class JobChanges {
  readonly #watched = new Map<string, Watched>();
  readonly #database: Database;
  readonly #pollMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(database: Database, pollMs: number) {
    this.#database = database;
    this.#pollMs = pollMs;
  }

  /** Returns the function that ends the watch. */
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
    if (this.#database.dialect === "sqlite" || this.#timer !== undefined || this.#closed) return;
    if (this.#watched.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), this.#pollMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      const keys = [...this.#watched.values()].map(({ key }) => key);
      const revisions = await jobRevisions(this.#database.read, keys);
      for (const revision of revisions) this.#note(revision);
    } catch {
      // The database is away for a moment; the next look comes all the same.
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
