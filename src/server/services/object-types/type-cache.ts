import type { Promisable } from "#lib/promisable.ts";
import type { Database } from "../../stores/database.ts";
import { objectTypeBySlug, revisionOf, type StoredObjectType } from "../../stores/object-types.ts";
import { compileObjectType, type CompiledType } from "./compiled-type.ts";

/** Types that are kept, and characters of their definitions in all: one may have a million. */
export const cacheBounds = { types: 5_000, characters: 32 * 1024 * 1024 } as const;
/**
 * How long a compiled type is used unasked. On SQLite this process makes every change itself. On
 * PostgreSQL another one may: writes are held to the revision by the database anyway, nothing is
 * refused before {@link TypeCache.isOutdated} was asked, and reads see a change within this time.
 */
const trustedMs = { sqlite: Number.POSITIVE_INFINITY, postgresql: 1_000 } as const;

interface Entry {
  readonly type: CompiledType;
  /** Characters of its definition as JSON. */
  readonly size: number;
  checkedAt: number;
  /** A check that is under way, for all who come meanwhile. */
  checking: Promise<CompiledType | undefined> | undefined;
}

/** Compiled Object Types by workspace and slug; the one that was compiled first is let go first. */
export class TypeCache {
  readonly #database: Database;
  readonly #entries = new Map<string, Entry>();
  readonly #onLoad: (type: StoredObjectType) => void;
  #characters = 0;

  constructor(database: Database, onLoad: (type: StoredObjectType) => void) {
    this.#database = database;
    this.#onLoad = onLoad;
  }

  /** The type, at once when it is known to be current; undefined when there is none. */
  find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    const entry = this.#entries.get(`${workspaceId}/${slug}`);
    if (entry === undefined) return this.#load(workspaceId, slug);
    const age = performance.now() - entry.checkedAt;
    return age <= trustedMs[this.#database.dialect] ? entry.type : this.#checkOnce(entry);
  }

  /** What has just been read or written; an older revision never replaces a newer one. */
  put(stored: StoredObjectType): CompiledType {
    const key = `${stored.workspace_id}/${stored.slug}`;
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.type.revision >= stored.revision) {
      entry.checkedAt = performance.now();
      return entry.type;
    }
    const type = compileObjectType(stored, this.#database.dialect);
    const size = JSON.stringify(stored.definition).length;
    this.#forget(key);
    this.#entries.set(key, { type, size, checkedAt: performance.now(), checking: undefined });
    this.#characters += size;
    for (const oldest of this.#entries.keys()) {
      if (oldest === key || !this.#isFull) break;
      this.#forget(oldest);
    }
    return type;
  }

  /** How much is kept, for tests of its bounds. */
  get kept(): { readonly types: number; readonly characters: number } {
    return { types: this.#entries.size, characters: this.#characters };
  }

  get #isFull(): boolean {
    return this.#entries.size > cacheBounds.types || this.#characters > cacheBounds.characters;
  }

  #forget(key: string): void {
    this.#characters -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Looks whether a type has changed: a write under it did nothing. */
  async refresh(type: CompiledType): Promise<void> {
    const entry = this.#entries.get(`${type.workspaceId}/${type.slug}`);
    if (entry?.type === type) await this.#checkOnce(entry);
  }

  /**
   * Whether another process has changed the type since it was compiled, which only PostgreSQL can
   * have: what it does not allow may well be allowed by now.
   */
  async isOutdated(type: CompiledType): Promise<boolean> {
    if (this.#database.dialect === "sqlite") return false;
    const entry = this.#entries.get(`${type.workspaceId}/${type.slug}`);
    return entry?.type === type ? (await this.#checkOnce(entry)) !== type : true;
  }

  #checkOnce(entry: Entry): Promise<CompiledType | undefined> {
    entry.checking ??= this.#check(entry).finally(() => {
      entry.checking = undefined;
    });
    return entry.checking;
  }

  async #load(workspaceId: string, slug: string): Promise<CompiledType | undefined> {
    const stored = await objectTypeBySlug(this.#database.read, workspaceId, slug);
    if (stored === undefined) return undefined;
    this.#onLoad(stored);
    return this.put(stored);
  }

  async #check(entry: Entry): Promise<CompiledType | undefined> {
    const { type } = entry;
    const revision = await revisionOf(this.#database.read, type.workspaceId, type.number);
    if (revision !== type.revision) return this.#load(type.workspaceId, type.slug);
    entry.checkedAt = performance.now();
    return type;
  }
}
