import { acceptBlobs } from "../../../files/accept-blobs.ts";
import type { StagedBlob } from "../../../files/blob-store.ts";
import type { Job } from "../../../jobs/job.ts";
import { JobLeaseLostError, type JobContext } from "../../../jobs/runner.ts";
import { holdsJob } from "../../../jobs/store.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { storeArchivedDataset, storeArchivedFeatures } from "../../geo/service.ts";
import { filePart, recordPart } from "../parts.ts";
import type { ArchiveRecord } from "../store.ts";
import {
  copiedTables,
  documentRowTables,
  documentTable,
  roleTable,
  type ArchivedTable,
} from "../tables.ts";
import {
  datasetLine,
  featureLine,
  fileLine,
  recordLine,
  recordOf,
  roleLine,
} from "./archived-lines.ts";
import { copyRows, type Line } from "./copy-rows.ts";
import type { ImportBase, ImportUses } from "./import-uses.ts";
import { valuesOf, type ImportItem } from "./import-items.ts";
import { lineShapes } from "./line-shapes.ts";
import { nameOf, RefusedLines, type RefusedLine } from "./refused-lines.ts";
import type { RenamedIds } from "./renamed-ids.ts";
import { beyondMost, withinMost } from "./row-bounds.ts";
import { storeRecordFiles } from "./store-files.ts";
import { SettingsImport } from "./store-settings.ts";
import { storeTypes } from "./store-types.ts";
import { ofStoredDocuments, storeDocuments, storePassages } from "./store-documents.ts";

interface Parts {
  readonly base: ImportBase;
  readonly uses: ImportUses;
  readonly job: Job;
  readonly context: JobContext;
  readonly renamed: RenamedIds;
  /** Digests of files that the workspace of the archive named and did not have. */
  readonly missing: ReadonlySet<string>;
  /** The report of a run that was interrupted. */
  readonly before: ImportReport | undefined;
}

interface PartCount {
  readonly name: string;
  readonly stored: number;
  readonly leftOut: number;
  /** Absent in a report of a former version. */
  readonly refused?: number;
}

/** The outcome of an import, as its row keeps it. */
export interface ImportReport {
  readonly parts: readonly PartCount[];
  readonly members: readonly { readonly email: string; readonly role: string }[];
  readonly refused?: readonly RefusedLine[];
  /** Items of the archive that were taken; absent at the end. */
  readonly taken?: number;
}

/** The report of an import; undefined before the first one. */
export function reportOf({ report }: Pick<ArchiveRecord, "report">): ImportReport | undefined {
  // Only the import writes the column.
  return report === null ? undefined : (JSON.parse(report) as ImportReport);
}

/** The report is kept after so many items with lines. */
const keptEvery = 10;
/** Parts that a run reads again after an interruption, because later ones need what they name. */
const readAgain: ReadonlySet<string> = new Set(["members", "geo-datasets"]);

const fileBytesAtMost = 64 * 1024 ** 3;

type Store = (lines: readonly Line[]) => Promise<number>;

/** Stores the items of an archive one after the other. */
export class ImportRun {
  readonly #workspaceId: string;
  /** Acts in the name of the user who started the import. */
  readonly #work: Work;
  readonly #counts = new Map<string, { stored: number; leftOut: number; refused: number }>();
  readonly #refused = new RefusedLines();
  readonly #settings: SettingsImport;
  readonly #stores: ReadonlyMap<string, Store>;
  /** The ids of the archive's datasets by their names. */
  readonly #datasetIds = new Map<string, string>();
  /** Files whose rows come next. */
  #staged: StagedBlob[] = [];
  #taken = 0;
  #sinceReport = 0;
  /** The number of lines of the present item. */
  #given = 0;
  /** The sizes of the files so far, by their digests. */
  readonly #fileSizes = new Map<string, number>();

  constructor(private readonly parts: Parts) {
    this.#workspaceId = parts.job.workspaceId;
    this.#work = parts.context.work.onBehalfOf(parts.job.createdBy);
    const { uses } = parts;
    const own = { workspaceId: this.#workspaceId, work: this.#work, refused: this.#refused };
    const settings = new SettingsImport({ ...own, uses });
    this.#settings = settings;
    const { before } = parts;
    for (const { name, stored, leftOut, refused = 0 } of before?.parts ?? []) {
      if (!readAgain.has(name)) this.#counts.set(name, { stored, leftOut, refused });
    }
    this.#refused.continueAfter((before?.refused ?? []).filter(({ part }) => !readAgain.has(part)));
    this.#stores = new Map<string, Store>([
      [
        "object-types",
        (lines) => storeTypes(this.#work, this.parts.uses.objectTypes, this.#workspaceId, lines),
      ],
      [filePart, (lines) => this.#recordFiles(lines)],
      [documentTable.part, (lines) => this.#documents(lines)],
      ["document-passages", (lines) => this.#passages(lines)],
      [roleTable.part, (lines) => this.#roles(lines)],
      ["members", (lines) => settings.noteMembers("members", lines)],
      ["webhook-endpoints", (lines) => settings.endpoints("webhook-endpoints", lines)],
      ["webhook-sources", (lines) => settings.sources("webhook-sources", lines)],
      ["alert-rules", (lines) => settings.rules("alert-rules", lines)],
      ["geo-datasets", (lines) => this.#datasets(lines)],
      ...documentRowTables
        .filter(({ part }) => part !== "document-passages")
        .map((table): [string, Store] => [
          table.part,
          async (lines) => {
            const { read } = this.parts.context.work;
            const own = await ofStoredDocuments(read, this.#workspaceId, lines);
            return this.#write((tx) => copyRows(tx, this.#workspaceId, table, own));
          },
        ]),
      ...copiedTables.map((table): [string, Store] => [
        table.part,
        (lines) => this.#copied(table, lines),
      ]),
    ]);
  }

  /** Stores an item; after an interruption those that were stored are passed over. */
  async take(item: ImportItem): Promise<void> {
    this.#taken += 1;
    const { taken: before = 0 } = this.parts.before ?? {};
    const isDone = this.#taken <= before;
    if (item.kind === "file") {
      this.#fileSizes.set(item.sha256, item.size);
      if (isDone) return;
      const { blobs } = this.parts.base;
      const { signal } = this.parts.context;
      const options = { limitBytes: fileBytesAtMost, signal };
      this.#staged.push(await blobs.stage(this.#workspaceId, item.content, options));
      return;
    }
    const { part } = item;
    if (isDone && !readAgain.has(part)) return;
    const { read } = this.parts.context.work;
    const lines = (await this.parts.renamed.applied(read, item.lines)).map(valuesOf);
    const slug = part.startsWith("records/") ? part.slice("records/".length) : undefined;
    const store = slug === undefined ? this.#storeOf(part) : this.#recordsOf(slug);
    if (store === undefined) return;
    this.#given = lines.length;
    const earlier = this.#refused.in(part);
    const shape = lineShapes.get(part);
    const storable = this.#refused.storable(part, lines);
    const ready = shape === undefined ? storable : this.#refused.matching(part, shape, storable);
    const stored = await store(ready);
    const refused = this.#refused.in(part) - earlier;
    // The run before may have stored these lines after its last report.
    const isAgain = before > 0 && this.#taken <= before + 2 * keptEvery;
    const count = this.#counts.get(part) ?? { stored: 0, leftOut: 0, refused: 0 };
    count.stored += isAgain ? lines.length - refused : stored;
    count.refused += refused;
    count.leftOut += isAgain ? 0 : Math.max(0, lines.length - stored - refused);
    this.#counts.set(part, count);
    this.#sinceReport += 1;
  }

  /** The report to keep now; undefined soon after the last one. */
  dueReport(): ImportReport | undefined {
    if (this.#sinceReport < keptEvery || this.#staged.length > 0) return undefined;
    this.#sinceReport = 0;
    return { ...this.report(), taken: this.#taken };
  }

  /** Discards what no row has named. */
  async end(): Promise<void> {
    const left = this.#staged;
    this.#staged = [];
    for (const staged of left) await staged.discard();
  }

  report(): ImportReport {
    const parts = [...this.#counts].map(([name, count]) => ({ name, ...count }));
    return { parts, members: this.#settings.members, refused: this.#refused.listed };
  }

  count(outcome: "leftOut" | "refused"): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + counts[outcome], 0);
  }

  #write<T>(unit: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.parts.context.write(unit);
  }

  async #copied(table: ArchivedTable, lines: readonly Line[]): Promise<number> {
    const { part, most } = table;
    const { read } = this.parts.context.work;
    const { within, beyond } = await withinMost(read, this.#workspaceId, table, lines);
    if (most !== undefined) {
      for (const line of beyond) this.#refused.add(part, nameOf(line), beyondMost(most));
    }
    return this.#write((tx) => copyRows(tx, this.#workspaceId, table, within));
  }

  #storeOf(part: string): Store | undefined {
    const slug = part.startsWith("geo-features/") ? part.slice("geo-features/".length) : undefined;
    const id = slug === undefined ? undefined : this.#datasetIds.get(slug);
    if (slug === undefined || id === undefined) return this.#stores.get(part);
    return (lines) => {
      const features = this.#refused.parsed(part, featureLine, lines);
      return this.#write((tx) =>
        storeArchivedFeatures(tx, this.#workspaceId, { id, slug }, features),
      );
    };
  }

  async #datasets(lines: readonly Line[]): Promise<number> {
    const by = { oid: this.parts.job.createdBy, at: this.parts.base.now().toISOString() };
    let count = 0;
    for (const dataset of this.#refused.parsed("geo-datasets", datasetLine, lines)) {
      this.#datasetIds.set(dataset.slug, dataset.id);
      const isStored = await this.#refused.attempt("geo-datasets", dataset, () =>
        this.#write((tx) => storeArchivedDataset(tx, this.#workspaceId, dataset, by)),
      );
      if (isStored) count += 1;
    }
    return count;
  }

  #recordsOf(slug: string): Store {
    const part = recordPart(slug);
    return async (lines) => {
      const { archived } = this.parts.uses.records;
      const records = this.#refused.parsed(part, recordLine, lines).map(recordOf);
      const place = { workspaceId: this.#workspaceId, slug };
      const outcome = await archived.store(this.#work, place, records, async (tx) => {
        if (await holdsJob(tx, this.parts.job)) return;
        throw new JobLeaseLostError("Another worker has the import");
      });
      for (const { id, reason } of outcome.refused) this.#refused.add(part, id, reason);
      return outcome.stored;
    };
  }

  /** The lines whose file the archive has, or whose file its manifest lists as missing. */
  #ofFiles<Own extends { readonly sha256?: unknown; readonly size?: unknown }>(
    part: string,
    lines: readonly Own[],
  ): Own[] {
    return lines.filter((line) => {
      const sha256 = String(line.sha256);
      const size = this.#fileSizes.get(sha256);
      if (size === undefined ? this.parts.missing.has(sha256) : size === line.size) return true;
      this.#refused.add(part, sha256, "the archive has no file of this digest and size");
      return false;
    });
  }

  async #recordFiles(lines: readonly Line[]): Promise<number> {
    const types = await this.parts.uses.objectTypes.all(this.#work, this.#workspaceId);
    const own = this.#ofFiles(filePart, this.#refused.parsed(filePart, fileLine, lines));
    const files = own.map(({ resource_id: id, property, type: slug, ...file }) => {
      const type = types.find((each) => each.slug === slug);
      return { id, property, type, ...file };
    });
    const { stored, refused } = await this.#withFiles((tx) =>
      storeRecordFiles(tx, this.#workspaceId, files),
    );
    for (const { id, reason } of refused) this.#refused.add(filePart, id, reason);
    return stored;
  }

  async #documents(lines: readonly Line[]): Promise<number> {
    const own = this.#ofFiles(documentTable.part, lines);
    const { stored } = await this.#withFiles(async (tx) => {
      return { stored: await storeDocuments(tx, this.#workspaceId, own) };
    });
    return stored;
  }

  /** Publishes the files of the last entries in the transaction that names them. */
  async #withFiles<Stored extends { readonly stored: number }>(
    store: (tx: Transaction) => Promise<Stored>,
  ): Promise<Stored> {
    const { removals } = this.parts.base;
    const staged = this.#staged;
    this.#staged = [];
    try {
      const uses = { database: this.#work, staged, onWait: () => removals.wake() };
      const outcome = await acceptBlobs(uses, (requireStored) =>
        this.#write(async (tx) => {
          await requireStored(tx);
          return store(tx);
        }),
      );
      // Lines that were left out or refused may be the only ones that name a file.
      if (outcome.stored < this.#given) await removals.takeBack(staged);
      else for (const each of staged) await each.discard();
      return outcome;
    } catch (error) {
      await removals.takeBack(staged);
      throw error;
    }
  }

  #passages(lines: readonly Line[]): Promise<number> {
    const { words } = this.parts.uses;
    return storePassages(this.#work, words, this.#workspaceId, lines, (unit) => this.#write(unit));
  }

  async #roles(lines: readonly Line[]): Promise<number> {
    let count = 0;
    const { part } = roleTable;
    for (const line of this.#refused.parsed(part, roleLine, lines)) {
      const { permissions, ...role } = line;
      const { id, key, display_name, description, created_by, created_at, updated_at } = role;
      const own = { workspace_id: this.#workspaceId, id, key, display_name, description };
      const row = { ...own, created_by, created_at, updated_at };
      const isStored = await this.#refused.attempt(part, line, () =>
        this.#write((tx) => this.parts.uses.roles.storeArchived(tx, row, permissions)),
      );
      if (isStored) count += 1;
    }
    return count;
  }
}
