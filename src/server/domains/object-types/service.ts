import type { ListBody, ListQuery } from "#contract/lists.ts";
import type {
  ObjectType,
  ObjectTypeBatch,
  ObjectTypeCreation,
  ObjectTypeUpdate,
} from "#contract/object-types.ts";
import { pointer } from "#contract/problems.ts";
import type { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { Principal, VersionMatch } from "../../http/handler.ts";
import { invalid } from "../../http/faults.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  allObjectTypes,
  countObjectTypes,
  objectTypesPage,
  recordCounts,
  slugsOf,
  type StoredObjectType,
} from "./store.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages } from "../../http/lists/pages.ts";
import { DefinitionChanges } from "./change-definitions.ts";
import { objectTypeOf, type CompiledType } from "./compiled-type.ts";
import type { RecordStorage } from "./record-storage.ts";
import { insertTypes } from "./insert.ts";
import { reconcileTypes, type ReconciledType } from "./reconcile.ts";
import { requireSound } from "./check-definition.ts";
import { TypeCache } from "./type-cache.ts";

export { compileObjectType, type CompiledType } from "./compiled-type.ts";
export { namesNoType } from "./compare-definitions.ts";
export {
  branchesOf,
  containersOf,
  fieldAt,
  holdsTimes,
  isDeclared,
  notAProperty,
  positionPattern,
  type Container,
  type Field,
  type FieldSource,
  type ValueKind,
} from "./path-fields.ts";
export type { Collision, RecordStorage, RecordType, TypeKey } from "./record-storage.ts";
export {
  isNumeric,
  isReserved,
  keysOf,
  noNumber,
  noText,
  slotColumn,
  slotColumns,
  slotCounts,
  slotIndex,
  textKey,
  uniqueKey,
  writtenColumns,
  type Slot,
  type SlotColumn,
  type SlotKind,
} from "./slots.ts";
export {
  allObjectTypes,
  maximumTypes,
  objectTypeById,
  objectTypeBySlug,
  objectTypesPage,
  recordCount,
  recordCounts,
  revisionOf,
  updateObjectType,
  type StoredObjectType,
} from "./store.ts";

/** Stores the response for its idempotency key, inside the transaction (see `Context.remember`). */
export type RememberTypes = (types: readonly ObjectType[]) => void;

/** The results of a batch, in the order of its items. */
export interface AppliedTypes {
  readonly created: ObjectType[];
  readonly updated: ObjectType[];
}

/** Object Types of workspaces (spec 2.2, 4.3), and their compiled forms for requests on records. */
export class ObjectTypeService {
  readonly #cache: TypeCache;
  readonly #records: RecordStorage;
  readonly #changes: DefinitionChanges;

  constructor(
    private readonly options: {
      database: Database;
      /** For reservations of index columns, which are not part of a request's effect. */
      unkeyedDatabase: Database;
      now: () => Date;
      cursors: ListCursors;
      records: RecordStorage;
      /** Raised by each change of a type, for threads that only read. */
      changes?: ChangeCount;
      /** Set in such a thread: it reports each type that it loads, and starts no work on it. */
      follow?: { onLoad(type: StoredObjectType): void };
    },
  ) {
    const { unkeyedDatabase, changes, follow, records } = options;
    this.#records = records;
    records.onChange((stored) => void this.#cache.put(stored));
    this.#cache = new TypeCache({
      database: unkeyedDatabase,
      onLoad: follow?.onLoad ?? ((stored) => this.#records.start(stored)),
      ...(changes === undefined ? {} : { changes }),
      isFollower: follow !== undefined,
    });
    this.#changes = new DefinitionChanges({
      unkeyedDatabase,
      now: options.now,
      records,
      onChange: (stored) => void this.#cache.put(stored),
    });
  }

  /** The compiled type with this exact slug; undefined when the workspace has none. */
  find(workspaceId: string, slug: string): Promisable<CompiledType | undefined> {
    return this.#cache.find(workspaceId, slug);
  }

  /** All compiled types of a workspace, by slug. */
  async all(workspaceId: string): Promise<CompiledType[]> {
    const types: CompiledType[] = [];
    for (const slug of await slugsOf(this.options.database.read, workspaceId)) {
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
  async fillingSearch(workspaceId: string, start: boolean): Promise<string[]> {
    const filling = (await this.all(workspaceId))
      .map(({ stored }) => stored)
      .filter((stored) => stored.search_state === "building");
    if (start) for (const stored of filling) this.#records.start(stored);
    return filling.map(({ slug }) => slug);
  }

  /** Whether another process has changed a type; asked before a request is refused under it. */
  isOutdated(type: CompiledType): Promise<boolean> {
    return this.#cache.isOutdated(type);
  }

  /** Matches index columns to definitions; background work then fills and empties the columns. */
  reconcile(workspaceId: string, isDryRun: boolean): Promise<ReconciledType[]> {
    return reconcileTypes(this.options.database, workspaceId, {
      now: this.options.now(),
      isDryRun,
      records: this.#records,
      start: (type) => {
        this.#cache.put(type);
        this.#records.start(type);
      },
    });
  }

  async create(
    principal: Principal,
    workspaceId: string,
    creation: ObjectTypeCreation,
    remember: RememberTypes = () => {},
  ): Promise<ObjectType> {
    const [type] = await this.createAll(principal, workspaceId, [creation], remember);
    if (type === undefined) throw new Error("an Object Type was made and not returned");
    return type;
  }

  /** Creates all types or none; they may refer to each other and to themselves. */
  async createAll(
    principal: Pick<Principal, "oid">,
    workspaceId: string,
    creations: readonly ObjectTypeCreation[],
    remember: RememberTypes = () => {},
  ): Promise<ObjectType[]> {
    const base = creations.length === 1 ? undefined : [];
    const stored = await this.options.database.write(async (writer) => {
      const making = { principal, workspaceId, now: this.options.now };
      const made = await insertTypes(writer, making, creations, base);
      remember(made.map(objectTypeOf));
      return made;
    });
    for (const type of stored) this.#cache.put(type);
    return stored.map(objectTypeOf);
  }

  /**
   * Creates types inside another service's unit. The result must be called once the unit has
   * committed.
   */
  async createWithin(
    writer: Writer,
    principal: Principal,
    workspaceId: string,
    creations: readonly ObjectTypeCreation[],
  ): Promise<() => void> {
    const making = { principal, workspaceId, now: this.options.now };
    const made = await insertTypes(writer, making, creations, ["starterTemplate"]);
    return () => {
      for (const type of made) this.#cache.put(type);
    };
  }

  async update(
    principal: Principal,
    workspaceId: string,
    id: string,
    update: ObjectTypeUpdate,
    options: { readonly ifMatch?: VersionMatch | undefined } = {},
  ): Promise<ObjectType> {
    const { ifMatch } = options;
    const [stored] = await this.#changes.update(
      { principal, workspaceId, newSlugs: [] },
      [{ id, update, ifMatch, base: [] }],
      (write) => this.options.database.write(write),
    );
    if (stored === undefined) throw new Error("an Object Type was changed and not returned");
    return objectTypeOf(stored);
  }

  /** All or none. New unique columns are filled first, and released when anything is refused. */
  async apply(
    principal: Principal,
    workspaceId: string,
    { create, update }: ObjectTypeBatch,
    remember: (applied: AppliedTypes) => void = () => {},
  ): Promise<AppliedTypes> {
    requireDistinct(update.map(({ id }) => id));
    const newSlugs = create.map(({ slug }) => slug);
    const updates = update.map(({ id, ...rest }, index) => ({
      id,
      update: rest,
      base: ["update", index],
    }));
    const scope = { principal, workspaceId, newSlugs };
    for (const [index, definition] of create.entries()) {
      const base = ["create", index];
      const { read } = this.options.database;
      await requireSound(read, { workspaceId, definition, newSlugs, faults: [], base });
    }
    await this.#changes.check(scope, updates);
    const { made, applied } = await this.#changes.update(scope, updates, (write) =>
      this.options.database.write(async (writer) => {
        const created = await insertTypes(writer, { ...scope, now: this.options.now }, create, [
          "create",
        ]);
        const updated = await write(writer);
        const answer = { created: created.map(objectTypeOf), updated: updated.map(objectTypeOf) };
        remember(answer);
        return { made: created, applied: answer };
      }),
    );
    for (const type of made) this.#cache.put(type);
    return applied;
  }

  /** In ID order (spec 4.3). */
  async list(
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ObjectType>> {
    const pages = new ListPages(this.options.cursors, ["object-types", workspaceId]);
    const start = pages.start(query);
    const { offset, after: [afterId = ""] = [] } = start;
    const page = { workspaceId, afterId: String(afterId), limit: start.rows, offset };
    const [rows, total] = await Promise.all([
      objectTypesPage(this.options.database.read, page),
      query.count === true ? countObjectTypes(this.options.database.read, workspaceId) : undefined,
    ]);
    return pages.body(start, { rows, itemOf: objectTypeOf, positionOf: ({ id }) => [id], total });
  }

  /** All types of a workspace with their record counts, by slug. */
  async schema(workspaceId: string): Promise<ObjectType[]> {
    const [types, counts] = await Promise.all([
      allObjectTypes(this.options.database.read, workspaceId),
      recordCounts(this.options.database.read, workspaceId),
    ]);
    return types
      .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
      .map((type) => ({ ...objectTypeOf(type), recordCount: counts.get(type.number) ?? 0 }));
  }
}

/** A type can be changed once in a batch: a second change would have no version to start from. */
function requireDistinct(ids: readonly string[]): void {
  const index = ids.findIndex((id, position) => ids.indexOf(id) < position);
  if (index === -1) return;
  throw invalid([{ pointer: pointer("update", index, "id"), detail: "is given twice" }]);
}
