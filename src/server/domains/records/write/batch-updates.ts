import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { DuplicateError } from "../../../kit/storage-errors.ts";
import type { SlotKeys, StoredRecord } from "../store/records.ts";
import { recordsByIds, updateRecords, type RecordChange } from "../store/write/write-records.ts";
import { difference } from "../store/patch.ts";
import { keysOf, type ObjectTypeService, type CompiledType } from "../../object-types/service.ts";
import { Overtaken, underType } from "../under-type.ts";
import type { BatchScope } from "./batch.ts";
import type { SearchWords } from "../search/word-list.ts";
import { BatchOutcomes } from "./batch-outcomes.ts";
import { conflictSince } from "./next-version.ts";
import { dataOf, duplicateAt, textOf } from "../record.ts";
import { missingReferences, newReferences, noSuchRecords } from "./references.ts";
import { resolveReferences } from "./references.ts";
import { takenColumns } from "./unique-values.ts";

interface Change extends RecordChange {
  readonly index: number;
  readonly base: readonly (string | number)[];
  readonly references: readonly ReferenceUse[];
  /** It takes or frees a unique value: what comes before and after it in the batch matters. */
  readonly movesValue: boolean;
}

/** New data for many records, each guarded by its version. */
export class BatchUpdates {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #words: SearchWords;
  readonly #now: () => Date;

  constructor(options: {
    database: Database;
    objectTypes: ObjectTypeService;
    words: SearchWords;
    now: () => Date;
  }) {
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
    this.#words = options.words;
    this.#now = options.now;
  }

  async run(scope: BatchScope, batch: Batch<BatchUpdateItem>): Promise<BatchAnswer> {
    const { workspaceId, slug } = scope;
    return underType(this.#objectTypes, workspaceId, slug, async (type) => {
      const checked = new BatchOutcomes(batch);
      const changes = await this.#prepare(type, scope, batch, checked);
      if (checked.hasRefusals && (await this.#objectTypes.isOutdated(type))) throw new Overtaken();
      checked.requireNoneFailed();
      const references = await resolveReferences(
        this.#objectTypes,
        workspaceId,
        changes.flatMap((change) => change.references),
      );
      await this.#words.note(
        workspaceId,
        changes.map(({ entry }) => entry),
      );
      return this.#unit(async (writer) => {
        // A unit may run again from its start.
        const outcomes = checked.copy();
        const missing = new Set(await missingReferences(writer, references));
        const sound = changes.filter(({ index, references: uses }) => {
          const lost = uses.filter((use) => missing.has(use));
          if (lost.length > 0) outcomes.refuse(index, noSuchRecords(lost));
          return lost.length === 0;
        });
        outcomes.requireNoneFailed();
        const plain = sound.filter(({ movesValue }) => !movesValue);
        await this.#write(writer, type, plain, outcomes);
        // One after the other: a value may become free by the change before.
        for (const change of sound.filter(({ movesValue }) => movesValue)) {
          const property = await takenProperty(writer, type, change);
          if (property === undefined) await this.#write(writer, type, [change], outcomes);
          else outcomes.refuse(change.index, duplicateAt(pointer(...change.base, property)));
        }
        outcomes.requireNoneFailed();
        return outcomes.answer();
      });
    });
  }

  async #write(
    writer: Writer,
    type: CompiledType,
    changes: readonly Change[],
    outcomes: BatchOutcomes,
  ): Promise<void> {
    const done = await updateRecords(writer, type, changes);
    if (done.size < changes.length) throw new Overtaken();
    for (const { index, record } of changes) outcomes.succeed(index, 200, record);
  }

  async #unit<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await this.#database.write(work);
    } catch (error) {
      // A unique value that another unit took at the same time is seen on the next round.
      if (error instanceof DuplicateError) throw new Overtaken();
      throw error;
    }
  }

  async #prepare(
    type: CompiledType,
    { principal }: BatchScope,
    batch: Batch<BatchUpdateItem>,
    outcomes: BatchOutcomes,
  ): Promise<Change[]> {
    const { read } = this.#database;
    const present = await recordsByIds(read, type, [...new Set(batch.items.map(({ id }) => id))]);
    const updated_at = this.#now().toISOString();
    const seen = new Set<string>();
    const changes: Change[] = [];
    for (const [index, { id, data, version }] of batch.items.entries()) {
      const current = present.get(id);
      const isRepeated = seen.has(id);
      seen.add(id);
      if (current === undefined) outcomes.refuse(index, new Refusal("not-found"));
      else if (isRepeated) outcomes.refuse(index, repeated([...batch.placeOf(index), "id"]));
      else if (current.version !== version) {
        outcomes.refuse(index, await conflictSince(read, type, current, version));
      } else {
        outcomes.attempt(index, () => {
          const base = [...batch.placeOf(index), "data"];
          const change = changeOf(type, current, data, base);
          const record = { ...change.record, updated_at, updated_by: principal.oid };
          changes.push({ ...change, record, index, base });
        });
      }
    }
    return changes;
  }
}

function changeOf(
  type: CompiledType,
  current: StoredRecord,
  data: JsonObject,
  base: readonly (string | number)[],
): Omit<Change, "index" | "base"> {
  const stored = dataOf(type, current);
  const checked = type.check(data, { isCreation: false, base, stored });
  const text = textOf(checked, base);
  const keys = keysOf(type.columns, checked.data);
  const before = keysOf(type.columns, stored);
  return {
    record: { ...current, version: current.version + 1, data: text },
    keys,
    entry: type.entryOf(checked.data, stored),
    changes: difference(stored, checked.data),
    references: newReferences(type, stored, checked.references),
    movesValue: type.columns.some(
      ({ slot }, at) => slot.kind === "unique" && keys[at] !== before[at],
    ),
  };
}

/** Places of the unique columns that the record has a value in. */
function uniqueAt(type: CompiledType, keys: SlotKeys): number[] {
  return [...type.columns.entries()].flatMap(([at, { slot }]) =>
    slot.kind === "unique" && keys[at] !== null ? [at] : [],
  );
}

/** The first property whose unique value another record has. */
async function takenProperty(
  writer: Writer,
  type: CompiledType,
  change: Change,
): Promise<string | undefined> {
  const taken = await takenColumns(writer, type, [change]);
  const at = uniqueAt(type, change.keys).find((position) => {
    const holder = taken[position]?.get(String(change.keys[position]));
    return holder !== undefined && holder !== change.record.id;
  });
  return at === undefined ? undefined : type.columns[at]?.slot.property;
}

function repeated(place: readonly (string | number)[]): Refusal {
  const fault = { pointer: pointer(...place), detail: "stands in this batch before" };
  return new Refusal("validation-failed", {
    detail: `${fault.pointer} ${fault.detail}`,
    errors: [fault],
  });
}
