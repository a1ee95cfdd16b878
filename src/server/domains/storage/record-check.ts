import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../database/database.ts";
import {
  keysOf,
  writtenColumns,
  compileObjectType,
  objectTypeBySlug,
} from "../object-types/service.ts";
import type { StoredObjectType, SlotColumn } from "../object-types/service.ts";
import { allKeyedRows, presentIds } from "../records/service.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";
import { Tally, type Finding } from "./finding.ts";
import { SearchEntryCheck } from "./search-check.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";

export interface RecordCheckOptions {
  readonly reader: Reader;
  readonly type: StoredObjectType;
  /** Maximum number of records to check. */
  readonly limit: number;
  /** Deadline on the clock of `performance.now()`; none by default. */
  readonly endsAtMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** False when the limit or the deadline stopped the check. */
  readonly complete: boolean;
  /** Columns that differ from the records' data. */
  readonly outOfStep: readonly SlotColumn[];
}

/** Compares a type's records with its definition, references, index columns and search entries. */
export async function checkRecords(options: RecordCheckOptions): Promise<RecordCheck> {
  const { reader, type, limit, endsAtMs = Infinity, signal } = options;
  const share = new TickShare();
  const { check } = compileObjectType(type, reader.dialect);
  // Columns that are being filled or emptied are not in use yet, so they are no fault.
  const ready = type.slots.filter((slot) => slot.state === "ready");
  const columns = writtenColumns(ready, type.definition.properties);
  const tallies = columns.map((column) => ({ column, tally: new Tally() }));
  const unfit = new Tally();
  const entries = new SearchEntryCheck(reader, type);
  const references = new ReferenceCheck(reader, type);
  let checked = 0;
  let complete = true;
  const { workspace_id: workspaceId, number, slug } = type;
  for await (const { id, data: text, keys } of allKeyedRows(
    reader,
    { workspaceId, number },
    columns,
  )) {
    signal?.throwIfAborted();
    await share.yieldWhenUsed();
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
    keysOf(columns, data).forEach((key, index) => {
      if (keys[index] !== key) tallies[index]?.tally.add(id);
    });
  }
  const shared = { backend: "documentdb", workspaceId } as const;
  const findings = [
    ...unfit.finding({
      ...shared,
      code: "record-unfit",
      severity: "warning",
      subject: slug,
      detail: "Records do not match their Object Type",
      mend: "Correct them with `svc resources update`, or let the Object Type allow their values",
      fixable: false,
    }),
    ...(await references.findings()),
    ...(await entries.findings()),
    ...tallies.flatMap(({ column, tally }) =>
      tally.finding({
        ...shared,
        code: "index-out-of-step",
        severity: "error",
        subject: `${slug}.${column.slot.property}`,
        detail: "The index differs from the records, so filters and sorts return wrong results",
        mend: "Run `svc serve doctor --fix`, which fills the index from the records",
        fixable: true,
      }),
    ),
  ];
  const outOfStep = tallies.filter(({ tally }) => tally.count > 0).map(({ column }) => column);
  return { findings, checked, complete, outOfStep };
}

const batchSize = 500;

interface Use extends ReferenceUse {
  /** The id of the record that has the reference. */
  readonly from: string;
}

/** Finds references of a type's records to records that do not exist, in batches. */
class ReferenceCheck {
  readonly #targets = new Map<string, Promise<StoredObjectType | undefined>>();
  readonly #dangling = new Tally();
  #uses: Use[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
  ) {}

  async add(from: string, references: readonly ReferenceUse[]): Promise<void> {
    for (const reference of references) this.#uses.push({ ...reference, from });
    if (this.#uses.length >= batchSize) await this.#checkBatch();
  }

  /** Call it after the last record. */
  async findings(): Promise<Finding[]> {
    await this.#checkBatch();
    return this.#dangling.finding({
      code: "reference-dangling",
      backend: "documentdb",
      severity: "warning",
      workspaceId: this.type.workspace_id,
      subject: this.type.slug,
      detail: "Records refer to records that do not exist",
      mend: "Remove or replace the references with `svc resources update`",
      fixable: false,
    });
  }

  async #checkBatch(): Promise<void> {
    const uses = this.#uses;
    this.#uses = [];
    const present = new Map<string, ReadonlySet<string>>();
    for (const [slug, ofType] of Map.groupBy(uses, (use) => use.targetObjectType)) {
      present.set(slug, await this.#presentOf(slug, [...new Set(ofType.map(({ id }) => id))]));
    }
    for (const { from, pointer, targetObjectType: slug, id } of uses) {
      if (present.get(slug)?.has(id) !== true) {
        this.#dangling.add(`${from} ${pointer} ${slug} ${id}`);
      }
    }
  }

  async #presentOf(slug: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { workspace_id: workspaceId } = this.type;
    const known = this.#targets.get(slug) ?? objectTypeBySlug(this.reader, workspaceId, slug);
    this.#targets.set(slug, known);
    const target = await known;
    const present = new Set<string>();
    for (let start = 0; target !== undefined && start < ids.length; start += batchSize) {
      const some = ids.slice(start, start + batchSize);
      const found = await presentIds(this.reader, { workspaceId, number: target.number }, some);
      for (const id of found) present.add(id);
    }
    return present;
  }
}
