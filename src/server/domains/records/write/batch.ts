import type { Batch, BatchAnswer, BatchDeletionItem } from "#contract/resources/batch.ts";
import type { BatchUpdateItem } from "#contract/resources/batch.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Principal } from "../../../http/handler.ts";
import type { Database, Writer } from "../../../database/database.ts";
import {
  revisionOf,
  keysOf,
  type ObjectTypeService,
  type CompiledType,
} from "../../object-types/service.ts";
import type { RecordWrite, StoredRecord } from "../store/records.ts";
import { deleteRecords, insertRecords, noteRemovals } from "../store/write/write-records.ts";
import { recordsByIds } from "../store/write/write-records.ts";
import { removal } from "../store/patch.ts";
import { Overtaken, underType } from "../under-type.ts";
import type { SearchWords } from "../search/word-list.ts";
import { BatchOutcomes } from "./batch-outcomes.ts";
import { BatchUpdates } from "./batch-updates.ts";
import { dataOf, duplicateAt, textOf, unwrapped, versionConflict } from "../record.ts";
import { missingReferences, noSuchRecords, resolveReferences } from "./references.ts";
import { takenColumns } from "./unique-values.ts";

/** Where the records of a batch are, and who writes them. */
export interface BatchScope {
  readonly principal: Principal;
  readonly workspaceId: string;
  readonly slug: string;
}

interface Creation extends RecordWrite {
  readonly index: number;
  /** Where the data stands in the body. */
  readonly base: readonly (string | number)[];
  readonly references: readonly ReferenceUse[];
}

/**
 * Many records in one unit, each with its own outcome (interface: batch). An atomic batch of which
 * one item fails writes nothing, and is refused as that item would have been.
 */
export class ResourceBatch {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #words: SearchWords;
  readonly #now: () => Date;
  readonly #onFilesReleased: () => void;
  readonly #updates: BatchUpdates;

  constructor(options: {
    database: Database;
    objectTypes: ObjectTypeService;
    words: SearchWords;
    now: () => Date;
    onFilesReleased: () => void;
  }) {
    this.#onFilesReleased = options.onFilesReleased;
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
    this.#words = options.words;
    this.#now = options.now;
    this.#updates = new BatchUpdates(options);
  }

  async create(
    scope: BatchScope,
    batch: Batch<JsonObject>,
    remember: (answer: BatchAnswer) => void,
  ): Promise<BatchAnswer> {
    const { workspaceId, slug, principal } = scope;
    return underType(this.#objectTypes, workspaceId, slug, async (type) => {
      const checked = new BatchOutcomes(batch);
      const creations = this.#prepare(type, principal, batch, checked);
      if (checked.hasRefusals && (await this.#objectTypes.isOutdated(type))) throw new Overtaken();
      checked.requireNoneFailed();
      const references = await resolveReferences(
        this.#objectTypes,
        workspaceId,
        creations.flatMap((creation) => creation.references),
      );
      await this.#words.note(
        workspaceId,
        creations.map(({ entry }) => entry),
      );
      return this.#database.write(async (writer) => {
        // A unit may run again from its start.
        const outcomes = checked.copy();
        const missing = new Set(await missingReferences(writer, references));
        const sound = creations.filter(({ index, references: uses }) => {
          const lost = uses.filter((use) => missing.has(use));
          if (lost.length > 0) outcomes.refuse(index, noSuchRecords(lost));
          return lost.length === 0;
        });
        outcomes.requireNoneFailed();
        const made = await insertRecords(writer, type, sound);
        if (made.size < sound.length && !(await isCurrent(writer, type))) throw new Overtaken();
        const left = sound.filter(({ record }) => !made.has(record.id));
        await this.#refuseDuplicates(writer, type, left, outcomes);
        for (const { index, record } of sound) {
          if (made.has(record.id)) outcomes.succeed(index, 201, record);
        }
        outcomes.requireNoneFailed();
        const answer = outcomes.answer();
        remember(answer);
        return answer;
      });
    });
  }

  update(scope: BatchScope, batch: Batch<BatchUpdateItem>): Promise<BatchAnswer> {
    return this.#updates.run(scope, batch);
  }

  async delete(scope: BatchScope, batch: Batch<BatchDeletionItem>): Promise<BatchAnswer> {
    const { workspaceId, slug, principal } = scope;
    const at = this.#now().toISOString();
    const deleted = await underType(this.#objectTypes, workspaceId, slug, async (type) =>
      this.#database.write(async (writer) => {
        const outcomes = new BatchOutcomes(batch);
        const ids = [...new Set(batch.items.map(({ id }) => id))];
        const present = await recordsByIds(writer, type, ids);
        const wanted = new Map<string, number>();
        batch.items.forEach(({ id, version }, index) => {
          const current = present.get(id);
          if (current === undefined || wanted.has(id)) {
            outcomes.refuse(index, new Refusal("not-found"));
          } else if (version !== undefined && version !== current.version) {
            outcomes.refuse(index, versionConflict(current.version, []));
          } else wanted.set(id, index);
        });
        outcomes.requireNoneFailed();
        const removed = await deleteRecords(writer, type, [...wanted.keys()]);
        const removals = removed.map(({ id, version, data }) => ({
          id,
          version: version + 1,
          changes: removal(dataOf(type, { data })),
        }));
        const note = { at, actor: principal.oid };
        const files = await noteRemovals(writer, type, removals, note);
        for (const { id, version } of removals) {
          const index = wanted.get(id);
          if (index !== undefined) outcomes.succeed(index, 204, { id, version });
        }
        return { answer: outcomes.answer(), files };
      }),
    );
    if (deleted.files > 0) this.#onFilesReleased();
    return deleted.answer;
  }

  #prepare(
    type: CompiledType,
    principal: Principal,
    batch: Batch<JsonObject>,
    outcomes: BatchOutcomes,
  ): Creation[] {
    const now = this.#now();
    const time = now.toISOString();
    const common = {
      version: 1,
      created_at: time,
      updated_at: time,
      created_by: principal.oid,
      updated_by: principal.oid,
    };
    const creations: Creation[] = [];
    batch.items.forEach((body, index) => {
      outcomes.attempt(index, () => {
        const { data, base: within } = unwrapped(type, body);
        const base = [...batch.placeOf(index), ...within];
        const { references, ...checked } = type.check(data, { isCreation: true, base });
        const text = textOf({ ...checked, references }, base);
        const record: StoredRecord = { ...common, id: this.#database.ids.next(now), data: text };
        const keys = keysOf(type.columns, checked.data);
        const entry = type.entryOf(checked.data);
        creations.push({ index, base, record, keys, entry, references });
      });
    });
    return creations;
  }

  async #refuseDuplicates(
    writer: Writer,
    type: CompiledType,
    left: readonly Creation[],
    outcomes: BatchOutcomes,
  ): Promise<void> {
    const taken = await takenColumns(writer, type, left);
    for (const { index, base, keys, record } of left) {
      const at = taken.findIndex((known, position) => {
        const holder = known.get(String(keys[position]));
        return holder !== undefined && holder !== record.id;
      });
      const property = type.columns[at]?.slot.property;
      outcomes.refuse(index, duplicateAt(pointer(...base, ...(property ? [property] : []))));
    }
  }
}

async function isCurrent(writer: Writer, type: CompiledType): Promise<boolean> {
  return (await revisionOf(writer, type.workspaceId, type.number)) === type.revision;
}
