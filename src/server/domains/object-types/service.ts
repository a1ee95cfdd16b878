import type { ListBody, ListQuery } from "#contract/lists.ts";
import type {
  ObjectType,
  ObjectTypeBatch,
  ObjectTypeCreation,
  ObjectTypeUpdate,
} from "#contract/object-types/object-types.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { VersionMatch } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { invalid } from "../../kit/faults.ts";
import { removeUntouched, slugsOf, takeIdentity } from "./store.ts";
import {
  allObjectTypes,
  objectTypesPage,
  recordCounts,
  type StoredObjectType,
  type RecordStorage,
} from "./stored-types.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import { DefinitionChanges } from "./change-definitions.ts";
import { objectTypeOf, type CompiledType } from "./compiled-type.ts";
import { insertTypes, type ArchivedTypes, type KeptType, type Making } from "./insert.ts";
import { reconcileTypes, type ReconciledType } from "./reconcile.ts";
import { requireSound } from "./check-definition.ts";
import { mayReadRecords, shownType } from "./rights/shown-type.ts";
import { runTimeTypeOf } from "./run-time-type.ts";
import { TypeCache } from "./type-cache.ts";

export { compileObjectType, type CompiledType, type ReadableType } from "./compiled-type.ts";
export { fieldReader, mayChangeTypes } from "./rights/shown-type.ts";
export type { KeptType } from "./insert.ts";
export { readableFields, writableFields, type FieldRights } from "./rights/readable-fields.ts";
export { namesNoType } from "./compare-definitions.ts";
export {
  linkChange,
  linksOf,
  referenceRules,
  withoutReferences,
  type Link,
  type LinkChange,
  type ReferenceRule,
} from "./reference-rules.ts";
export {
  type Collision,
  type RecordStorage,
  type RecordType,
  type TypeKey,
  allObjectTypes,
  objectTypeById,
  objectTypeBySlug,
  recordCount,
  recordCounts,
  revisionOf,
  revisionsOf,
  updateObjectType,
  type StoredObjectType,
} from "./stored-types.ts";

/** The results of a batch, in the order of its items. */
export type AppliedTypes = {
  readonly created: ObjectType[];
  readonly updated: ObjectType[];
};

/** Object Types of workspaces (spec 2.2, 4.3), and their compiled forms for requests on records. */
export class ObjectTypeService {
  readonly #cache: TypeCache;
  readonly #records: RecordStorage;
  readonly #changes: DefinitionChanges;

  constructor(
    private readonly options: {
      platformWork: PlatformWork;
      feed: ChangeFeed;
      now: () => Date;
      cursors: ListCursors;
      records: RecordStorage;
      /** Raised by each change of a type, for threads that only read. */
      changes?: ChangeCount;
      /** Set in such a thread: it reports each type that it loads, and starts no work on it. */
      follow?: { onLoad(type: StoredObjectType): void };
    },
  ) {
    const { changes, follow, records, now, feed } = options;
    const platformWork = options.platformWork("compiled Object Types, and reserved index columns");
    const onChange = (stored: StoredObjectType): void => {
      this.#cache.put(stored);
    };
    this.#records = records;
    records.onChange(onChange);
    this.#cache = new TypeCache({
      work: platformWork,
      feed,
      onLoad: follow?.onLoad ?? ((stored) => this.#records.start(stored)),
      ...given({ changes }),
      isFollower: follow !== undefined,
    });
    this.#changes = new DefinitionChanges({ platformWork, now, records, onChange });
  }

  /** The compiled type with this exact slug; undefined when the workspace has none. */
  find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    return this.#cache.find(workspaceId, slug);
  }

  /** All compiled types of a workspace, by slug. */
  async all(work: Work, workspaceId: string): Promise<CompiledType[]> {
    const types: CompiledType[] = [];
    for (const slug of await slugsOf(work.read, workspaceId)) {
      const type = await this.#cache.find(workspaceId, slug);
      if (type !== undefined) types.push(type);
    }
    return types;
  }

  /** Forgets the types of a workspace that no longer exists. */
  forgetWorkspace(workspaceId: string): void {
    this.#cache.forgetWorkspace(workspaceId);
  }

  /** Reads a type again if it has changed, after a write under it did nothing. */
  refresh(type: CompiledType): Promise<void> {
    return this.#cache.refresh(type);
  }

  /** Slugs of types whose search entries are being rewritten; `start` starts that work again. */
  async fillingSearch(work: Work, workspaceId: string, start: boolean): Promise<string[]> {
    const filling = (await this.all(work, workspaceId))
      .map(({ stored }) => stored)
      .filter((stored) => stored.search_state === "building");
    if (start) for (const stored of filling) this.#records.start(stored);
    return filling.map(({ slug }) => slug);
  }

  /** True if another process has changed a type; read before a request is refused under it. */
  isOutdated(type: CompiledType): Promise<boolean> {
    return this.#cache.isOutdated(type);
  }

  /** Matches index columns to definitions; background work then fills and empties the columns. */
  reconcile(work: Work, workspaceId: string, isDryRun: boolean): Promise<ReconciledType[]> {
    return reconcileTypes(work, workspaceId, {
      now: this.options.now(),
      isDryRun,
      records: this.#records,
      start: (type) => {
        this.#cache.put(type);
        this.#records.start(type);
      },
    });
  }

  async create(work: Work, workspaceId: string, creation: ObjectTypeCreation): Promise<ObjectType> {
    return work.write(async (tx) => {
      const making = this.#making(workspaceId, work.scope.caller);
      const [stored] = await insertTypes(tx, making, [creation], undefined);
      if (stored === undefined) throw new Error("an Object Type was made and not returned");
      const type = objectTypeOf(stored);
      tx.remember(type);
      return type;
    });
  }

  /** Creates all types or none; they may refer to each other and to themselves. */
  async createAll(
    work: Work,
    workspaceId: string,
    creations: readonly ObjectTypeCreation[],
  ): Promise<ObjectType[]> {
    const making = this.#making(workspaceId, work.scope.caller);
    const base = creations.length === 1 ? undefined : [];
    const stored = await work.write((tx) => insertTypes(tx, making, creations, base));
    return stored.map(objectTypeOf);
  }

  /**
   * Makes the types of an archive with what it keeps of them. Those in `alike` are in the workspace
   * with the same definition: one without records takes over what the archive keeps of it.
   */
  async createArchived(
    work: Work,
    workspaceId: string,
    { creations, alike, replaced }: ArchivedTypes,
    keptOf: (slug: string) => KeptType | undefined,
  ): Promise<void> {
    const making = { ...this.#making(workspaceId, work.scope.caller), keptOf };
    await work.write(async (tx) => {
      for (const slug of alike) {
        const kept = keptOf(slug);
        if (kept === undefined) continue;
        const type = await takeIdentity(tx, workspaceId, slug, kept);
        if (type !== undefined) tx.afterCommit(() => making.onMade(type));
      }
      for (const slug of replaced) {
        if (await removeUntouched(tx, workspaceId, slug)) continue;
        throw new Refusal("conflict", { detail: `${slug} has records, or was changed` });
      }
      await insertTypes(tx, making, creations, []);
    });
  }

  /** Creates types in another service's transaction, in the name of a user. */
  async createWithin(
    tx: Transaction,
    by: { readonly workspaceId: string; readonly oid: string },
    creations: readonly ObjectTypeCreation[],
  ): Promise<void> {
    await insertTypes(tx, this.#making(by.workspaceId, by.oid), creations, ["starterTemplate"]);
  }

  async update(
    work: Work,
    workspaceId: string,
    id: string,
    update: ObjectTypeUpdate,
    options: { readonly ifMatch?: VersionMatch | undefined } = {},
  ): Promise<ObjectType> {
    const { ifMatch } = options;
    const [stored] = await this.#changes.update(
      work,
      { workspaceId, newSlugs: [] },
      [{ id, update, ifMatch, base: [] }],
      (write) => work.write(write),
    );
    if (stored === undefined) throw new Error("an Object Type was changed and not returned");
    return objectTypeOf(stored);
  }

  /** All or none. New unique columns are filled first, and released when anything is refused. */
  async apply(
    work: Work,
    workspaceId: string,
    { create, update }: ObjectTypeBatch,
  ): Promise<AppliedTypes> {
    requireDistinct(update.map(({ id }) => id));
    const newSlugs = create.map(({ slug }) => slug);
    const updates = update.map(({ id, ...rest }, index) => ({
      id,
      update: rest,
      base: ["update", index],
    }));
    const scope = { workspaceId, newSlugs };
    for (const [index, definition] of create.entries()) {
      const base = ["create", index];
      await requireSound(work.read, { workspaceId, definition, newSlugs, faults: [], base });
    }
    await this.#changes.check(work, scope, updates);
    const making = this.#making(workspaceId, work.scope.caller);
    return this.#changes.update(work, scope, updates, (write) =>
      work.write(async (tx) => {
        const created = (await insertTypes(tx, making, create, ["create"])).map(objectTypeOf);
        const applied = { created, updated: (await write(tx)).map(objectTypeOf) };
        tx.remember(applied);
        return applied;
      }),
    );
  }

  /** A page of a workspace's types in ID order (spec 4.3). */
  async list(
    work: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ObjectType>> {
    const pages = new ListPages(this.options.cursors, ["object-types", workspaceId]);
    const start = pages.start(query);
    const { offset, after: [afterId = ""] = [] } = start;
    const page = { workspaceId, afterId: String(afterId), limit: start.rows, offset };
    const [rows, total] = await Promise.all([
      objectTypesPage(work.read, page),
      query.count === true ? this.#countShown(work, workspaceId) : undefined,
    ]);
    const { items, ...body } = pages.body(start, {
      rows,
      itemOf: (stored) => shownType(work, stored, (shown) => runTimeTypeOf(shown)),
      positionOf: ({ id }) => [id],
      total,
    });
    return { items: items.filter((item) => item !== undefined), ...body };
  }

  async #countShown(work: Work, workspaceId: string): Promise<number> {
    const types = await allObjectTypes(work.read, workspaceId);
    return types.filter((stored) => shownType(work, stored) !== undefined).length;
  }

  /** All types of a workspace with their record counts, by slug. */
  async schema(work: Work, workspaceId: string): Promise<ObjectType[]> {
    const [types, counts] = await Promise.all([
      allObjectTypes(work.read, workspaceId),
      recordCounts(work.read, workspaceId),
    ]);
    return types
      .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
      .flatMap((stored) => {
        const count = mayReadRecords(work, stored) ? (counts.get(stored.number) ?? 0) : undefined;
        return shownType(work, stored, (shown) => runTimeTypeOf(shown, count)) ?? [];
      });
  }

  #making(workspaceId: string, createdBy: string): Making {
    const onMade = (type: StoredObjectType): void => {
      this.#cache.put(type);
    };
    return { workspaceId, createdBy, now: this.options.now, onMade };
  }
}

/** A type can be changed once in a batch: a second change would have no version to start from. */
function requireDistinct(ids: readonly string[]): void {
  const index = ids.findIndex((id, position) => ids.indexOf(id) < position);
  if (index === -1) return;
  throw invalid([{ pointer: pointer("update", index, "id"), detail: "is given twice" }]);
}
