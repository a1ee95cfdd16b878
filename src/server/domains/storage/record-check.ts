import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../database/database.ts";
import {
  keysOf,
  writtenColumns,
  compileObjectType,
  type StoredObjectType,
  type SlotColumn,
} from "../object-types/service.ts";
import { allKeyedRows } from "../records/service.ts";
import { Turn } from "../../kit/tick-share.ts";
import { Tally, type Finding } from "./finding.ts";
import { EntryCheck } from "./search-index.ts";
import { ReferenceCheck } from "./reference-check.ts";

export interface RecordCheckOptions {
  readonly reader: Reader;
  readonly type: StoredObjectType;
  /** Records that are looked at. */
  readonly limit: number;
  /** When it has looked at enough, on the clock of `performance.now()`; missing: never. */
  readonly endsAtMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordsChecked {
  readonly findings: readonly Finding[];
  readonly checked: number;
  readonly complete: boolean;
  /** Columns that do not hold what the records' data gives. */
  readonly outOfStep: readonly SlotColumn[];
}

/** Holds every record of a type to its definition, its references and its index columns to its data. */
export async function checkRecords(options: RecordCheckOptions): Promise<RecordsChecked> {
  const { reader, type, limit, endsAtMs = Infinity, signal } = options;
  const turn = new Turn();
  const { check } = compileObjectType(type, reader.dialect);
  // A column that is being filled or emptied is not used yet, and so is no fault.
  const ready = type.slots.filter((slot) => slot.state === "ready");
  const columns = writtenColumns(ready, type.definition.properties);
  const tallies = columns.map(() => new Tally());
  const unfit = new Tally();
  const entries = new EntryCheck(reader, type);
  const references = new ReferenceCheck(reader, type);
  let checked = 0;
  let complete = true;
  const key = { workspaceId: type.workspace_id, number: type.number };
  for await (const { id, data: text, keys } of allKeyedRows(reader, key, columns)) {
    signal?.throwIfAborted();
    await turn.passOn();
    if (checked === limit || performance.now() >= endsAtMs) {
      complete = false;
      break;
    }
    checked += 1;
    const data = JSON.parse(text) as JsonObject;
    const { faults, references: uses } = check(data, { isCreation: false, stored: data });
    const [fault] = faults;
    await references.add(id, uses);
    if (fault !== undefined) unfit.add(`${id} ${fault.pointer} ${fault.detail}`);
    await entries.add(id, data);
    keysOf(columns, data).forEach((wanted, index) => {
      if (keys[index] !== wanted) tallies[index]?.add(id);
    });
  }
  const workspaceId = type.workspace_id;
  const findings: Finding[] = [];
  if (unfit.count > 0) {
    findings.push({
      code: "record-unfit",
      backend: "documentdb",
      severity: "warning",
      workspaceId,
      subject: type.slug,
      count: unfit.count,
      examples: unfit.examples,
      detail: "Records do not fit their Object Type any more",
      mend: "Correct them with `svc resources update`, or let the Object Type allow what they hold",
      fixable: false,
    });
  }
  findings.push(...(await references.findings()), ...(await entries.findings()));
  const outOfStep = columns.filter((_, index) => (tallies[index]?.count ?? 0) > 0);
  columns.forEach(({ slot }, index) => {
    const tally = tallies[index];
    if (tally === undefined || tally.count === 0) return;
    findings.push({
      code: "index-out-of-step",
      backend: "documentdb",
      severity: "error",
      workspaceId,
      subject: `${type.slug}.${slot.property}`,
      count: tally.count,
      examples: tally.examples,
      detail: "The index does not hold what the records hold, so filters and sorts go wrong",
      mend: "Run `svc serve doctor --fix`, which fills the index from the records",
      fixable: true,
    });
  });
  return { findings, checked, complete, outOfStep };
}
