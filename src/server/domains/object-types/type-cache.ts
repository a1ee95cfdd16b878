import { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { Database } from "../../database/database.ts";
import { objectTypeBySlug, revisionOf, type StoredObjectType } from "./store.ts";
import { compileObjectType, type CompiledType } from "./compiled-type.ts";

/** Types that are kept, and characters of their definitions in all: one may have a million. */
export const cacheBounds = { types: 5_000, characters: 32 * 1024 * 1024 } as const;
/**
 * How long a compiled type is used unasked. On SQLite the main thread makes every change itself, and
 * the others are told. On PostgreSQL another process may: writes are held to the revision by the
 * database anyway, nothing is refused before {@link TypeCache.isOutdated} was asked, and reads see a
 * change within this time.
 */
const trustedMs = { sqlite: Number.POSITIVE_INFINITY, postgresql: 1_000 } as const;

interface Entry {
  readonly type: CompiledType;
  /** Characters of its definition as JSON. */
  readonly size: number;
  checkedAt: number;
  /** The count of changes when it was last known to be current. */
  checkedChange: number;
  /** A check that is under way, for all who come meanwhile. */
  checking: Promise<CompiledType | undefined> | undefined;
}

/** Compiled Object Types by workspace and slug; the one that was compiled first is let go first. */
export class TypeCache {
  readonly #database: Database;
  readonly #entries = new Map<string, Entry>();
  readonly #onLoad: (type: StoredObjectType) => void;
  readonly #changes: ChangeCount;
  readonly #isFollower: boolean;
  #characters = 0;

  constructor(options: {
    readonly database: Database;
    readonly onLoad: (type: StoredObjectType) => void;
    /** Raised by each change, for the other threads. */
    readonly changes?: ChangeCount;
    /** In a thread that only reads: it looks again after each change that another one has raised. */
    readonly isFollower?: boolean;
  }) {
    this.#database = options.database;
    this.#onLoad = options.onLoad;
    this.#changes = options.changes ?? new ChangeCount();
    this.#isFollower = options.isFollower ?? false;
  }

  /** The type, at once when it is known to be current; undefined when there is none. */
  find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    const entry = this.#entries.get(`${workspaceId}/${slug}`);
    if (entry === undefined) return this.#load(workspaceId, slug);
    return this.#isTrusted(entry) ? entry.type : this.#checkOnce(entry);
  }

  #isTrusted(entry: Entry): boolean {
    if (this.#isFollower && entry.checkedChange !== this.#changes.value) return false;
    return performance.now() - entry.checkedAt <= trustedMs[this.#database.dialect];
  }

  /** What has just been read or written; an older revision never replaces a newer one. */
  put(stored: StoredObjectType): CompiledType {
    const key = `${stored.workspace_id}/${stored.slug}`;
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.type.revision >= stored.revision) {
      entry.checkedAt = performance.now();
      return entry.type;
    }
    if (!this.#isFollower) this.#changes.raise();
    const type = compileObjectType(stored, this.#database.dialect);
    const size = JSON.stringify(stored.definition).length;
    this.#forget(key);
    this.#entries.set(key, {
      type,
      size,
      checkedAt: performance.now(),
      checkedChange: 0,
      checking: undefined,
    });
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
    const before = this.#changes.value;
    const stored = await objectTypeBySlug(this.#database.read, workspaceId, slug);
    if (stored === undefined) return undefined;
    this.#onLoad(stored);
    const type = this.put(stored);
    const entry = this.#entries.get(`${workspaceId}/${slug}`);
    if (entry?.type === type) entry.checkedChange = before;
    return type;
  }

  async #check(entry: Entry): Promise<CompiledType | undefined> {
    const { type } = entry;
    const before = this.#changes.value;
    const revision = await revisionOf(this.#database.read, type.workspaceId, type.number);
    if (revision !== type.revision) return this.#load(type.workspaceId, type.slug);
    entry.checkedAt = performance.now();
    entry.checkedChange = before;
    return type;
  }
}
