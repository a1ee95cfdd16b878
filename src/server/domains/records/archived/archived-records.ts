import { pointer } from "#contract/problems.ts";
import { indexedValues, keysOf } from "../../../fields/slots.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { linkChange, type CompiledType } from "../../object-types/service.ts";
import { Overtaken, underType } from "../current-type.ts";
import { underAllTypes } from "../delete/under-all-types.ts";
import type { RecordChange } from "../store/record-types.ts";
import { checkUnique } from "../trash/check.ts";
import type { RestoreConflict } from "../trash/conflicts.ts";
import { insertArchived } from "../store/write/revive-records.ts";
import type { WriteScope, WriteServices } from "../write/write-unit.ts";
import { typesOfRecords } from "./workspace-records.ts";
import { checkedArchived, type ArchivedRecord, type RefusedRecord } from "./checked-archived.ts";

/** Stores records of archives as they were: with their ids, versions, times and histories. */
export class ArchivedRecords {
  constructor(private readonly services: Pick<WriteServices, "objectTypes" | "words">) {}

  /**
   * Stores the records that the type does not have yet, unless their type does not allow them or a
   * unique value is taken. `within` also writes in the transaction. Returns how many are new, and
   * the refused ones.
   */
  store(
    work: Work,
    { workspaceId, slug }: WriteScope,
    records: readonly ArchivedRecord[],
    within: (tx: Transaction) => Promise<void>,
  ): Promise<{ readonly stored: number; readonly refused: readonly RefusedRecord[] }> {
    const { objectTypes, words } = this.services;
    return underType(work, objectTypes, workspaceId, slug, async (type) => {
      const ids = new IdsOfArchive(
        type,
        await typesOfRecords(
          work.read,
          workspaceId,
          records.map(({ id }) => id),
        ),
      );
      const missing = records.filter((record) => ids.isMissing(record.id));
      const checked = await checkedArchived(type, missing);
      const { valid } = checked;
      const refused = [...ids.refused, ...checked.refused];
      const all = valid.map((record) => changeOf(type, record));
      await words.note(
        workspaceId,
        all.map(({ entry }) => entry),
      );
      return underAllTypes(objectTypes, work, workspaceId, async (tx) => {
        await within(tx);
        const taken = await takenValues(tx, type, valid);
        const changes = all.filter(({ record }) => !taken.has(record.id));
        const history = valid
          .filter(({ id }) => !taken.has(id))
          .flatMap((record) => record.history);
        const stored = await insertArchived(tx, type, changes, history);
        if (stored < changes.length) throw new Overtaken();
        const reasons = [...taken].map(([id, reason]) => ({ id, reason }));
        return { stored, refused: [...refused, ...reasons] };
      });
    });
  }
}

/** The reasons of records with a unique value of a stored record, or of one before in the list. */
async function takenValues(
  tx: Transaction,
  type: CompiledType,
  records: readonly ArchivedRecord[],
): Promise<ReadonlyMap<string, string>> {
  const conflicts: RestoreConflict[] = [];
  await checkUnique(
    tx,
    records.map(({ id, data }) => ({ type, id, data })),
    conflicts,
  );
  const reasons = new Map(
    conflicts.map(({ id, property, detail }) => [id, `${pointer("data", property)} ${detail}`]),
  );
  for (const [at, { slot }] of type.columns.entries()) {
    if (slot.kind !== "unique") continue;
    const holders = new Map<string, string>();
    for (const { id, data } of records) {
      const key = keysOf(type.columns, data)[at];
      if (key === null || key === undefined || reasons.has(id)) continue;
      const holder = holders.get(String(key));
      if (holder === undefined) holders.set(String(key), id);
      else reasons.set(id, `${pointer("data", slot.property)} is the value of record ${holder}`);
    }
  }
  return reasons;
}

/** Finds the records that the type does not have, and refuses ids of other records. */
class IdsOfArchive {
  readonly refused: RefusedRecord[] = [];
  readonly #seen = new Set<string>();

  constructor(
    private readonly type: CompiledType,
    /** The numbers of the types whose records have these ids. */
    private readonly stored: ReadonlyMap<string, number>,
  ) {}

  isMissing(id: string): boolean {
    const number = this.stored.get(id);
    if (number === this.type.number) return false;
    const isFirst = !this.#seen.has(id);
    this.#seen.add(id);
    if (number === undefined && isFirst) return true;
    this.refused.push({ id, reason: "its id is the id of another record" });
    return false;
  }
}

function changeOf(type: CompiledType, archived: ArchivedRecord): RecordChange {
  const { history: _history, data: given, ...columns } = archived;
  const data = type.ordered(given);
  return {
    record: { ...columns, data: JSON.stringify(data) },
    keys: keysOf(type.columns, data),
    indexed: indexedValues(type.columns, data),
    entry: type.entryOf(data),
    links: linkChange(type.rules, {}, data),
    changes: [],
  };
}
