import {
  backendsOf,
  type IndexPlan,
  type StorageBackend,
  type StorageDiagnosis,
  type StorageProvision,
  type StorageStatus,
  type StorageSync,
  type SyncReport,
  type SyncResult,
} from "#contract/storage.ts";
import { within } from "#lib/within.ts";
import { maximumTypes, objectTypesPage, type ObjectTypeService } from "../object-types/service.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { PlatformBase } from "../base.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Database } from "../../database/database.ts";
import { StorageError } from "../../database/errors.ts";
import { askDatabase } from "../../database/soundness.ts";
import { missingIndexes, type IndexMaintenance, type SlowFilters } from "../records/service.ts";
import { checkBlobs } from "./blob-check.ts";
import { missingIndex, unreachableBlobs, type Finding } from "./finding.ts";
import { planIndexes } from "./index-plan.ts";
import { checkRecords } from "./record-check.ts";
import { checkSearch, SearchIndexes } from "./search-index.ts";

/** What one request looks at; `svc serve doctor` on the platform's machine looks at everything. */
const recordLimit = 20_000;
const fileLimit = 5_000;
/** Whoever asks waits for 30 s: so files and records have less than that together. */
const filesLimitMs = 8_000;
const lookLimitMs = 16_000;
/** How long an answer waits for work that goes on without it. */
const patienceMs = 5_000;
/** The digest of nothing: asking for it asks the store. */
const probe = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A workspace's storage: where it is, what is wrong with it, what its Object Types need of it. */
export class StorageService {
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #blobProvider: "disk" | "s3";
  readonly #now: () => Date;
  readonly #objectTypes: ObjectTypeService;
  readonly #indexes: IndexMaintenance;
  readonly #slowFilters: SlowFilters;
  readonly #logger: Logger;
  readonly #search: SearchIndexes;

  constructor(
    base: Pick<PlatformBase, "database" | "blobs" | "blobProvider" | "now" | "logger">,
    services: {
      readonly objectTypes: ObjectTypeService;
      readonly indexes: IndexMaintenance;
      readonly slowFilters: SlowFilters;
    },
  ) {
    const { objectTypes, indexes } = services;
    this.#slowFilters = services.slowFilters;
    this.#indexes = indexes;
    this.#logger = base.logger;
    this.#database = base.database;
    this.#blobs = base.blobs;
    this.#blobProvider = base.blobProvider;
    this.#now = base.now;
    this.#objectTypes = objectTypes;
    this.#search = new SearchIndexes(base, objectTypes, indexes);
  }

  /** Ends background work after the unit that runs. */
  stop(): Promise<void> {
    return this.#search.stop();
  }

  /** The backends as they truly are: one database serves two of them, and searches. */
  async status(workspaceId: string): Promise<StorageStatus> {
    const [database, files] = await Promise.all([
      this.#faultOf(() => askDatabase(this.#database.read)),
      this.#faultOf(() => this.#askBlobs(workspaceId)),
    ]);
    const backends = backendsOf("all").map((backend) => {
      const fault = backend === "blob" ? files : database;
      return {
        backend,
        provider: this.#providerOf(backend),
        status: fault === undefined ? "ok" : "down",
        provisioned: true,
        detail: fault === undefined ? details[backend] : `${fault.part} ${fault.conduct}`,
      };
    });
    return { tenantId: workspaceId, backends };
  }

  /** Looks at records, index columns, files and the search index, up to what a request may take. */
  async diagnose(workspaceId: string, signal: AbortSignal): Promise<StorageDiagnosis> {
    const findings: Finding[] = [];
    const beganMs = performance.now();
    // Away from everybody else's reads, and from other workspaces' scans: it looks at much.
    const reader = this.#database.scan.with({ signal, share: workspaceId });
    // A file store that is away is a finding itself, and hides none of the others.
    const fault = await this.#faultOf(() => this.#askBlobs(workspaceId));
    const files =
      fault === undefined
        ? await checkBlobs({
            reader,
            blobs: this.#blobs,
            workspaceId,
            limit: fileLimit,
            endsAtMs: beganMs + filesLimitMs,
            withDigests: false,
            signal,
          })
        : { findings: [unreachableBlobs(workspaceId, fault)], checked: 0, complete: false };
    findings.push(...files.findings, ...(await checkSearch(reader, workspaceId)));
    let { complete } = files;
    let records = 0;
    const page = { workspaceId, afterId: "", limit: maximumTypes, offset: 0 };
    for (const type of await objectTypesPage(reader, page)) {
      const limit = recordLimit - records;
      const endsAtMs = beganMs + lookLimitMs;
      const result = await checkRecords({ reader, type, limit, endsAtMs, signal });
      records += result.checked;
      complete &&= result.complete;
      findings.push(...result.findings);
    }
    findings.push(...(await missingIndexes(reader)).map(missingIndex));
    return {
      tenantId: workspaceId,
      ok: findings.length === 0,
      complete,
      findings: findings.map((finding) => ({ ...finding, examples: [...finding.examples] })),
      checked: { records, files: files.checked },
      checkedAt: this.#now().toISOString(),
    };
  }

  /**
   * Asks each backend, which an embedded platform has from its first start. Fails with 503 where
   * one does not answer. With `rebuildSearch` the search index is made again from the texts.
   */
  async provision(workspaceId: string, wanted: StorageProvision): Promise<SyncReport> {
    const { dryRun, rebuildSearch } = wanted;
    const results: SyncResult[] = [];
    for (const backend of backendsOf(wanted.backend)) {
      await (backend === "blob" ? this.#askBlobs(workspaceId) : askDatabase(this.#database.read));
      const provider = this.#providerOf(backend);
      if (backend !== "search" || !rebuildSearch) {
        const there = { backend, provider, actions: [] };
        // What is there already would not be made by a run that is not dry, either.
        if (dryRun) results.push({ ...there, state: "skipped", detail: "It is there already" });
        else results.push({ ...there, state: "provisioned" });
        continue;
      }
      const actions = ["rebuild the search index"];
      if (dryRun) {
        results.push({ backend, provider, state: "planned", actions });
        continue;
      }
      const isDone = await inTime(this.#search.rebuild(workspaceId));
      const detail = isDone ? {} : { detail: "The rebuild goes on in the background" };
      results.push({ backend, provider, state: "provisioned", actions, ...detail });
    }
    return { tenantId: workspaceId, dryRun, results };
  }

  /** Holds storage to the workspace's Object Types: their index columns and search entries. */
  async syncSchema(workspaceId: string, { backend, dryRun }: StorageSync): Promise<SyncReport> {
    const results: SyncResult[] = [];
    for (const each of backendsOf(backend)) {
      if (each === "documentdb") results.push(...(await this.#syncTypes(workspaceId, dryRun)));
      else if (each === "search") results.push(...(await this.#syncSearch(workspaceId, dryRun)));
      else {
        const detail = "Object Types need nothing of it beyond what every start sees to";
        results.push({ backend: each, state: "skipped", actions: [], detail });
      }
    }
    return { tenantId: workspaceId, dryRun, results };
  }

  /** Which indexes these types have and lack; always a dry run (spec 4.3). */
  async planIndexes(workspaceId: string, slugs: readonly string[]): Promise<IndexPlan> {
    const objectTypes = await planIndexes(
      this.#database.read,
      this.#slowFilters,
      workspaceId,
      slugs,
    );
    return { tenantId: workspaceId, dryRun: true, objectTypes };
  }

  async #syncTypes(workspaceId: string, isDryRun: boolean): Promise<SyncResult[]> {
    const backend = "documentdb" as const;
    const reconciled = await this.#objectTypes.reconcile(workspaceId, isDryRun);
    const isWorking = reconciled.some(({ state }) => state === "applied");
    const isDone = !isWorking || (await inTime(this.#indexes.settled()));
    // What failed is in the log, and is what would be done again.
    const again = isWorking && isDone ? await this.#objectTypes.reconcile(workspaceId, true) : [];
    const left = new Set(again.flatMap(({ slug, state }) => (state === "planned" ? [slug] : [])));
    return reconciled.map(({ slug, state, actions, detail }) => {
      const later = isDone ? undefined : "The indexes are filled in the background";
      const rest = left.has(slug) ? leftToDo : later;
      const words = detail ?? (state === "applied" ? rest : undefined);
      return {
        backend,
        objectType: slug,
        state,
        actions: [...actions],
        ...(words === undefined ? {} : { detail: words }),
      };
    });
  }

  async #syncSearch(workspaceId: string, isDryRun: boolean): Promise<SyncResult[]> {
    const backend = "search" as const;
    const filling = await this.#objectTypes.fillingSearch(workspaceId, !isDryRun);
    if (filling.length === 0) return [{ backend, state: "already_applied", actions: [] }];
    const isDone = isDryRun || (await inTime(this.#indexes.settled()));
    const isRun = !isDryRun && isDone;
    const left = isRun ? await this.#objectTypes.fillingSearch(workspaceId, false) : [];
    return filling.map((objectType) => ({
      backend,
      objectType,
      state: isDryRun ? "planned" : "applied",
      actions: ["fill the search index"],
      ...(isDone ? {} : { detail: "The index is filled in the background" }),
      ...(left.includes(objectType) ? { detail: leftToDo } : {}),
    }));
  }

  #providerOf(backend: StorageBackend): string {
    if (backend === "blob") return this.#blobProvider;
    const { dialect } = this.#database;
    if (backend !== "search") return dialect;
    return dialect === "sqlite" ? "sqlite-fts5" : "postgresql-tsvector";
  }

  async #askBlobs(workspaceId: string): Promise<void> {
    await this.#blobs.stat({ workspaceId, sha256: probe });
  }

  /** Why a backend can't be used now, which the log says too; undefined where it can. */
  async #faultOf(ask: () => Promise<void>): Promise<StorageError | undefined> {
    try {
      await ask();
      return undefined;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#logger.warn({ event: "storage-unreachable", error: String(error) });
      return error;
    }
  }
}

const leftToDo = "Some of it is left to do: sync again";

const details: Readonly<Record<StorageBackend, string>> = {
  postgresql: "Workspaces, members and documents, in the platform's database",
  documentdb: "Records of Object Types, in the same database",
  blob: "The bytes of files, by digest",
  search: "The index of document texts and records, built into the same database",
};

/** Whether the work ended within the time that an answer may wait. */
function inTime(work: Promise<void>): Promise<boolean> {
  return within(
    patienceMs,
    work.then(() => true),
    false,
  );
}
