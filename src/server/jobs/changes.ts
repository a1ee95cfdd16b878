import type { Database } from "../stores/database.ts";
import { join, statement } from "../stores/database/statement.ts";
import type { JobKey } from "../stores/jobs.ts";

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
      if (watched.listeners.size === 0) this.#watched.delete(name);
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
      const keys = [...this.#watched.values()].map(
        ({ key }) => statement`(${key.workspaceId}, ${key.id})`,
      );
      // In parts, since a statement takes no more than 65,535 parameters.
      for (let start = 0; start < keys.length; start += 1_000) {
        const rows = await this.#database.read.all<RevisionRow>(statement`
          select workspace_id, id, revision from jobs
          where (workspace_id, id) in (${join(keys.slice(start, start + 1_000))})`);
        for (const row of rows) this.#note(row);
      }
    } catch {
      // The database is away for a moment; the next look comes all the same.
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }

  #note(row: RevisionRow): void {
    const key = { workspaceId: row.workspace_id, id: row.id };
    const watched = this.#watched.get(nameOf(key));
    if (watched === undefined || watched.revision === row.revision) return;
    watched.revision = row.revision;
    this.emit(key);
  }
}

interface RevisionRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly revision: number;
}

function nameOf({ workspaceId, id }: JobKey): string {
  return `${workspaceId}/${id}`;
}
