import { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { Dialect, Reader } from "../../database/database.ts";
import { changedTypes } from "../../work/change-event.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { Work } from "../../work/work.ts";
import { objectTypeBySlug, revisionOf, type StoredObjectType } from "./stored-types.ts";
import { compileObjectType, type CompiledType } from "./compiled-type.ts";
import { keptPromise } from "../../kit/background.ts";

/** Types, and characters of their definitions; a single one may have a million. */
export const cacheBounds = { types: 5_000, characters: 32 * 1024 * 1024 } as const;
interface Entry {
  readonly type: CompiledType;
  /** Characters of the definition as JSON. */
  readonly size: number;
  /** Changes of the type that the feed has reported. */
  reported: number;
  /** The number of them after which the type was last known to be current. */
  checkedReported: number;
  /** The change count when the type was last known to be current. */
  checkedChange: number;
  /** A check in progress, shared by all callers. */
  checking: Promise<CompiledType | undefined> | undefined;
}

/**
 * Compiled Object Types by workspace and slug; the oldest entry is removed first. On PostgreSQL
 * another process may change a type: the feed reports it, writes check the revision, and refusals
 * ask {@link TypeCache.isOutdated} first.
 */
export class TypeCache {
  readonly #entries = new Map<string, Entry>();
  readonly #changes: ChangeCount;
  readonly #isFollower: boolean;
  readonly #dialect: Dialect;
  /** Changes of any type that the feed has reported. */
  #reported = 0;
  #characters = 0;

  constructor(
    private readonly options: {
      /** Reads the types of all workspaces. */
      readonly work: Work;
      readonly onLoad: (type: StoredObjectType) => void;
      readonly feed: ChangeFeed;
      /** Raised by each change, for the other threads. */
      readonly changes?: ChangeCount;
      /** True in a thread that only reads: it checks again after each change by another thread. */
      readonly isFollower?: boolean;
    },
  ) {
    this.#changes = options.changes ?? new ChangeCount();
    this.#isFollower = options.isFollower ?? false;
    this.#dialect = options.work.read.dialect;
    options.feed.listen({
      changed: (event) => {
        if (event.kind !== "object-type") return;
        const { workspaceId, slug } = changedTypes(event);
        if (slug === undefined) this.#distrustAll(workspaceId);
        else this.#distrust(`${workspaceId}/${slug}`);
      },
      missed: () => this.#distrustAll(undefined),
    });
  }

  /** The types of a workspace, or of all workspaces. */
  #distrustAll(workspaceId: string | undefined): void {
    this.#reported += 1;
    const prefix = workspaceId === undefined ? "" : `${workspaceId}/`;
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) entry.reported += 1;
  }

  #distrust(key: string): void {
    this.#reported += 1;
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.reported += 1;
  }

  /** The type, at once when it is known to be current; undefined when there is none. */
  find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    const { feed } = this.options;
    if (feed.isCurrent) return this.#find(workspaceId, slug);
    return feed.catchUp().then(() => this.#find(workspaceId, slug));
  }

  #find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    const entry = this.#entries.get(`${workspaceId}/${slug}`);
    if (entry === undefined) return this.#load(workspaceId, slug);
    return this.#isTrusted(entry) ? entry.type : this.#checkOnce(entry);
  }

  #isTrusted(entry: Entry): boolean {
    if (this.#isFollower && entry.checkedChange !== this.#changes.value) return false;
    return entry.checkedReported === entry.reported;
  }

  /** Adds a type that was just read or written; an older revision never replaces a newer one. */
  put(stored: StoredObjectType): CompiledType {
    const key = `${stored.workspace_id}/${stored.slug}`;
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.type.revision >= stored.revision) return entry.type;
    if (!this.#isFollower) this.#changes.raise();
    const type = compileObjectType(stored, this.#dialect);
    const size = JSON.stringify(stored.definition).length;
    this.#forget(key);
    this.#entries.set(key, {
      type,
      size,
      reported: 0,
      checkedReported: 0,
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

  /** The cache's size, for tests of its bounds. */
  get kept(): { readonly types: number; readonly characters: number } {
    return { types: this.#entries.size, characters: this.#characters };
  }

  /** Forgets the types of a workspace that no longer exists. */
  forgetWorkspace(workspaceId: string): void {
    for (const key of this.#entries.keys()) {
      if (key.startsWith(`${workspaceId}/`)) this.#forget(key);
    }
    if (!this.#isFollower) this.#changes.raise();
  }

  get #isFull(): boolean {
    return this.#entries.size > cacheBounds.types || this.#characters > cacheBounds.characters;
  }

  #forget(key: string): void {
    this.#characters -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Checks whether a type has changed, after a write under it did nothing. */
  async refresh(type: CompiledType): Promise<void> {
    const entry = this.#entries.get(`${type.workspaceId}/${type.slug}`);
    if (entry?.type === type) await this.#checkOnce(entry);
  }

  /** True if another process has changed the type since it was compiled (PostgreSQL only). */
  async isOutdated(type: CompiledType): Promise<boolean> {
    if (this.#dialect === "sqlite") return false;
    const entry = this.#entries.get(`${type.workspaceId}/${type.slug}`);
    return entry?.type === type ? (await this.#checkOnce(entry)) !== type : true;
  }

  #checkOnce(entry: Entry): Promise<CompiledType | undefined> {
    entry.checking ??= keptPromise(
      this.#check(entry).finally(() => {
        entry.checking = undefined;
      }),
    );
    return entry.checking;
  }

  async #load(workspaceId: string, slug: string): Promise<CompiledType | undefined> {
    const before = this.#changes.value;
    const reportedBefore = this.#reported;
    const stored = await objectTypeBySlug(this.#readerOf(workspaceId), workspaceId, slug);
    if (stored === undefined) return undefined;
    this.options.onLoad(stored);
    const type = this.put(stored);
    const entry = this.#entries.get(`${workspaceId}/${slug}`);
    if (entry?.type !== type) return type;
    entry.checkedChange = before;
    // A change that was reported meanwhile may be of this type.
    if (this.#reported !== reportedBefore) entry.reported += 1;
    return type;
  }

  async #check(entry: Entry): Promise<CompiledType | undefined> {
    const { type, reported } = entry;
    const before = this.#changes.value;
    const reader = this.#readerOf(type.workspaceId);
    const revision = await revisionOf(reader, type.workspaceId, type.number);
    if (revision === undefined) {
      this.#forget(`${type.workspaceId}/${type.slug}`);
      return undefined;
    }
    if (revision !== type.revision) return this.#load(type.workspaceId, type.slug);
    entry.checkedReported = reported;
    entry.checkedChange = before;
    return type;
  }

  #readerOf(workspaceId: string): Reader {
    return this.options.work.within(workspaceId).read;
  }
}
