import type { BlobStore } from "../../files/blob-store.ts";
import type { Reader } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import { DuplicateError, type StorageError } from "../../kit/storage-errors.ts";
import { integrityFaults } from "../../database/soundness.ts";
import { passagesWithoutEntry } from "../documents/service.ts";
import { allObjectTypes, fieldReader, type StoredObjectType } from "../object-types/service.ts";
import type { SlotColumn } from "../../fields/slots.ts";
import { indexRepair, inspectRecords, type InspectOptions } from "../records/service.ts";
import { checkBlobs } from "./blob-check.ts";
import {
  damagedDatabase,
  linksOutOfStep,
  missingIndex,
  orderOutOfStep,
  searchOutOfStep,
  Tally,
  unreachableBlobs,
  type Finding,
} from "./finding.ts";

export interface DoctorOptions {
  readonly work: Work;
  readonly reader: Reader;
  readonly blobs: BlobStore;
  /** Makes the repairs that lose no data. */
  readonly fix: boolean;
  /** True if the check reads every file and compares its digest. */
  readonly withDigests: boolean;
  readonly limits?: DoctorLimits;
  readonly signal?: AbortSignal | undefined;
}

/** Deadlines are on the clock of `performance.now()`. */
export interface DoctorLimits {
  readonly files: number;
  readonly filesEndAtMs: number;
  readonly records: number;
  readonly recordsEndAtMs: number;
}

const unlimited: DoctorLimits = {
  files: Infinity,
  filesEndAtMs: Infinity,
  records: Infinity,
  recordsEndAtMs: Infinity,
};

/** Finds faults of the storage in one run, and repairs them where it is asked to. */
export class Doctor {
  readonly findings: Finding[] = [];
  readonly fixed = new Set<Finding>();
  readonly checked = { objectTypes: 0, records: 0, files: 0 };
  /** False when a limit or a deadline stopped a check. */
  complete = true;
  readonly #limits: DoctorLimits;

  constructor(private readonly options: DoctorOptions) {
    this.#limits = options.limits ?? unlimited;
  }

  get isDamaged(): boolean {
    return this.findings.some(({ code }) => code === "database-damaged");
  }

  noteDamage(faults: readonly string[]): void {
    this.findings.push(damagedDatabase(faults));
  }

  /** Checks SQLite's file as a whole. */
  async checkDatabase(): Promise<void> {
    const faults = await integrityFaults(this.options.reader);
    if (faults.length > 0) this.noteDamage(faults);
  }

  async checkIndexes(): Promise<void> {
    for (const name of await indexRepair.missing(this.options.reader)) {
      const finding = missingIndex(name);
      await this.#repair([finding], () => indexRepair.make(this.options.work, name));
      this.findings.push(finding);
    }
  }

  /** Equal values prevent a unique index until the records' check has filled its column again. */
  async retryIndexes(): Promise<void> {
    for (const finding of this.findings) {
      const { code, subject } = finding;
      if (code !== "index-missing" || subject === undefined || this.fixed.has(finding)) continue;
      await this.#repair([finding], () => indexRepair.make(this.options.work, subject));
    }
  }

  /** Checks files, passages and records; `fileStoreFault` takes the place of the files' check. */
  async checkWorkspace(workspaceId: string, fileStoreFault?: StorageError): Promise<void> {
    const { reader } = this.options;
    if (fileStoreFault === undefined) await this.#checkFiles(workspaceId);
    else {
      this.complete = false;
      this.findings.push(unreachableBlobs(workspaceId, fileStoreFault));
    }
    this.findings.push(...(await checkPassages(reader, workspaceId)));
    for (const type of await allObjectTypes(reader, workspaceId)) await this.#checkType(type);
  }

  async #checkFiles(workspaceId: string): Promise<void> {
    const { reader, blobs, withDigests, signal } = this.options;
    const { files: limit, filesEndAtMs: endsAtMs } = this.#limits;
    const options = { reader, blobs, workspaceId, limit, endsAtMs, withDigests, signal };
    const { findings, checked, complete, orphans } = await checkBlobs(options);
    this.checked.files += checked;
    this.complete &&= complete;
    for (const finding of findings) {
      if (finding.code === "blob-orphaned" && finding.fixable) {
        await this.#repair(orphans.length === finding.count ? [finding] : [], async () => {
          for (const address of orphans) await blobs.remove(address);
        });
      }
      this.findings.push(finding);
    }
  }

  async #checkType(type: StoredObjectType): Promise<void> {
    const { reader, work, signal } = this.options;
    const key = { workspaceId: type.workspace_id, number: type.number };
    this.checked.objectTypes += 1;
    const limit = this.#limits.records - this.checked.records;
    const endsAtMs = this.#limits.recordsEndAtMs;
    const mayName = fieldReader(work, type);
    const options = { reader, type, limit, endsAtMs, signal, mayName };
    const { findings, checked, complete, outOfStep } = await checkRecords(options);
    const withCode = (wanted: Finding["code"]): Finding[] =>
      findings.filter(({ code }) => code === wanted);
    const mislinked = withCode("links-out-of-step");
    const unordered = withCode("order-out-of-step");
    this.checked.records += checked;
    this.complete &&= complete;
    if (outOfStep.length > 0) {
      const columns = withCode("index-out-of-step");
      await this.#repair(columns, () => indexRepair.refill(work, key, outOfStep));
    }
    if (unordered.length > 0) {
      await this.#repair(unordered, () => indexRepair.refold(work, type));
    }
    if (mislinked.length > 0) {
      await this.#repair(mislinked, () => indexRepair.relink(work, type));
    }
    this.findings.push(...findings);
  }

  /**
   * Repairs nothing in a damaged database: a file may seem unused because the damage took its row.
   * Equal values of records prevent a unique index, which then stays a finding.
   */
  async #repair(findings: readonly Finding[], repair: () => Promise<void>): Promise<void> {
    if (!this.options.fix || this.isDamaged) return;
    try {
      await repair();
      for (const finding of findings) this.fixed.add(finding);
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
    }
  }
}

/** Passages that no search can find. */
async function checkPassages(reader: Reader, workspaceId: string): Promise<Finding[]> {
  const count = await passagesWithoutEntry(reader, workspaceId);
  if (count === 0) return [];
  const detail = "Passages of documents are not in the search index";
  return [{ ...searchOutOfStep(workspaceId, detail), count, examples: [] }];
}

export interface RecordCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** False when the limit or the deadline stopped the check. */
  readonly complete: boolean;
  /** Columns that differ from the records' data. */
  readonly outOfStep: readonly SlotColumn[];
}

/** Finds records that differ from their type, references, links, columns or search entries. */
export async function checkRecords(options: InspectOptions): Promise<RecordCheck> {
  const { workspace_id: workspaceId, slug } = options.type;
  const [unfit, dangling, mislinked] = [new Tally(), new Tally(), new Tally()];
  const [unsearchable, unordered] = [new Tally(), new Tally()];
  const columns = new Map<SlotColumn, Tally>();
  const { checked, complete, strayEntries } = await inspectRecords(options, {
    unfit: (fault) => unfit.add(fault),
    dangling: (fault) => dangling.add(fault),
    unsearchable: (id) => unsearchable.add(id),
    mislinked: (fault) => mislinked.add(fault),
    unordered: (id) => unordered.add(id),
    outOfStep(column, id) {
      if (!columns.has(column)) columns.set(column, new Tally());
      columns.get(column)?.add(id);
    },
  });
  unsearchable.count += strayEntries;
  const shared = { backend: "documentdb", workspaceId } as const;
  const outOfStep = [...columns.keys()].toSorted((one, other) =>
    one.column < other.column ? -1 : 1,
  );
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
    ...dangling.finding({
      code: "reference-dangling",
      backend: "documentdb",
      severity: "warning",
      workspaceId,
      subject: slug,
      detail: "Records refer to records that do not exist",
      mend: "Remove or replace the references with `svc resources update`",
      fixable: false,
    }),
    ...mislinked.finding(linksOutOfStep(workspaceId, slug)),
    ...unordered.finding(orderOutOfStep(workspaceId, slug)),
    ...unsearchable.finding({
      ...searchOutOfStep(workspaceId, "The search index differs from the records"),
      subject: slug,
    }),
    ...outOfStep.flatMap(
      (column) =>
        columns.get(column)?.finding({
          ...shared,
          code: "index-out-of-step",
          severity: "error",
          subject: `${slug}.${column.slot.property}`,
          detail: "The index differs from the records, so filters and sorts return wrong results",
          mend: "Run `svc serve doctor --fix`, which fills the index from the records",
          fixable: true,
        }) ?? [],
    ),
  ];
  return { findings, checked, complete, outOfStep };
}
