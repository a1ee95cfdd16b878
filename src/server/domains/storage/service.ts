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
} from "#contract/workspaces/storage.ts";
import { counted } from "#lib/text/counted.ts";
import { given } from "#lib/given.ts";
import { within } from "#lib/time/within.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { PlatformBase } from "../base.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import type { Reader } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import { askDatabase } from "../../database/soundness.ts";
import type { IndexMaintenance, SlowFilters } from "../records/service.ts";
import type { EmbeddingProgress, EmbeddingWork } from "../documents/service.ts";
import { Doctor } from "./doctor.ts";
import { planIndexes } from "./index-plan.ts";
import { SearchRebuild } from "./search-rebuild.ts";

/** Limits of one request; `svc serve doctor` on the platform's machine checks everything. */
const recordLimit = 20_000;
const fileLimit = 5_000;
/** Time from the start of the request. Clients wait for 30 s. */
const filesLimitMs = 8_000;
const recordsLimitMs = 16_000;
/** How long a response waits for work that continues in the background. */
const backgroundWaitMs = 5_000;
/** The digest of an empty file: the store must answer to look for it. */
const probe = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The storage of workspaces: status, doctor, search rebuild, schema sync and index plan. */
export class StorageService {
  readonly #search: SearchRebuild;

  constructor(
    private readonly base: Pick<PlatformBase, "blobs" | "blobProvider" | "now" | "logger">,
    private readonly services: {
      readonly objectTypes: ObjectTypeService;
      readonly indexes: IndexMaintenance;
      readonly slowFilters: SlowFilters;
      readonly embedding: Pick<EmbeddingWork, "progress">;
    },
  ) {
    this.#search = new SearchRebuild(base, services.objectTypes, services.indexes);
  }

  /** Stops background work after the current transaction. */
  stop(): Promise<void> {
    return this.#search.stop();
  }

  /** One database serves two of the backends and the search. */
  async status({ read }: Work, workspaceId: string): Promise<StorageStatus> {
    const [database, files] = await Promise.all([
      this.#faultOf(() => askDatabase(read)),
      this.#faultOf(() => this.#askBlobs(workspaceId)),
    ]);
    const embedding =
      database === undefined ? await this.services.embedding.progress(workspaceId) : undefined;
    const backends = backendsOf("all").map((backend) => {
      const fault = backend === "blob" ? files : database;
      return {
        backend,
        provider: this.#providerOf(read, backend),
        status: fault === undefined ? "ok" : "down",
        provisioned: true,
        detail:
          fault === undefined ? detailOf(backend, embedding) : `${fault.part} ${fault.conduct}`,
      };
    });
    return { tenantId: workspaceId, backends, ...given({ embedding }) };
  }

  /** Checks files, passages, records and indexes of a workspace, within the limits of a request. */
  async diagnose(work: Work, workspaceId: string, signal: AbortSignal): Promise<StorageDiagnosis> {
    const startedAtMs = performance.now();
    // A share of the scan pool, so that other reads do not wait.
    const reader = work.scan.with({ signal, share: workspaceId });
    const doctor = new Doctor({
      work,
      reader,
      blobs: this.base.blobs,
      fix: false,
      withDigests: false,
      limits: {
        files: fileLimit,
        filesEndAtMs: startedAtMs + filesLimitMs,
        records: recordLimit,
        recordsEndAtMs: startedAtMs + recordsLimitMs,
      },
      signal,
    });
    // A file store that does not answer is a finding, and the other checks still run.
    const fileStoreFault = await this.#faultOf(() => this.#askBlobs(workspaceId));
    await doctor.checkWorkspace(workspaceId, fileStoreFault);
    await doctor.checkIndexes();
    const { findings, complete, checked } = doctor;
    return {
      tenantId: workspaceId,
      ok: findings.length === 0,
      complete,
      findings: findings.map((finding) => ({ ...finding, examples: [...finding.examples] })),
      checked: { records: checked.records, files: checked.files },
      checkedAt: this.base.now().toISOString(),
    };
  }

  /**
   * Asks each backend, which an embedded platform has from its first start; 503 when one does not
   * answer. `rebuildSearch` rebuilds the search index from the texts.
   */
  async provision(work: Work, workspaceId: string, options: StorageProvision): Promise<SyncReport> {
    const { dryRun, rebuildSearch } = options;
    const results: SyncResult[] = [];
    for (const backend of backendsOf(options.backend)) {
      await (backend === "blob" ? this.#askBlobs(workspaceId) : askDatabase(work.read));
      const provider = this.#providerOf(work.read, backend);
      if (backend !== "search" || !rebuildSearch) {
        const existing = { backend, provider, actions: [] };
        if (dryRun) results.push({ ...existing, state: "skipped", detail: "It exists already" });
        else results.push({ ...existing, state: "provisioned" });
        continue;
      }
      const actions = ["rebuild the search index"];
      if (dryRun) {
        results.push({ backend, provider, state: "planned", actions });
        continue;
      }
      const isDone = await inTime(this.#search.rebuild(work, workspaceId));
      const detail = isDone ? {} : { detail: "The rebuild continues in the background" };
      results.push({ backend, provider, state: "provisioned", actions, ...detail });
    }
    return { tenantId: workspaceId, dryRun, results };
  }

  /** Brings index columns and search entries in line with the workspace's Object Types. */
  async syncSchema(
    work: Work,
    workspaceId: string,
    { backend, dryRun }: StorageSync,
  ): Promise<SyncReport> {
    const results: SyncResult[] = [];
    for (const each of backendsOf(backend)) {
      if (each === "documentdb")
        results.push(...(await this.#syncTypes(work, workspaceId, dryRun)));
      else if (each === "search") {
        results.push(...(await this.#syncSearch(work, workspaceId, dryRun)));
      } else {
        const detail =
          "Object Types need nothing here: every start of the platform prepares this backend";
        results.push({ backend: each, state: "skipped", actions: [], detail });
      }
    }
    return { tenantId: workspaceId, dryRun, results };
  }

  /** The indexes that these types have and lack; always a dry run (spec 4.3). */
  async planIndexes(
    { read }: Work,
    workspaceId: string,
    slugs: readonly string[],
  ): Promise<IndexPlan> {
    const { slowFilters } = this.services;
    const objectTypes = await planIndexes(read, slowFilters, workspaceId, slugs);
    return { tenantId: workspaceId, dryRun: true, objectTypes };
  }

  async #syncTypes(work: Work, workspaceId: string, isDryRun: boolean): Promise<SyncResult[]> {
    const backend = "documentdb" as const;
    const { objectTypes, indexes } = this.services;
    const reconciled = await objectTypes.reconcile(work, workspaceId, isDryRun);
    const isWorking = reconciled.some(({ state }) => state === "applied");
    const isDone = !isWorking || (await inTime(indexes.settled()));
    // A failure is in the log, and the second dry run plans its work again.
    const again = isWorking && isDone ? await objectTypes.reconcile(work, workspaceId, true) : [];
    const left = new Set(again.flatMap(({ slug, state }) => (state === "planned" ? [slug] : [])));
    return reconciled.map(({ slug, state, actions, detail }) => {
      const later = isDone ? undefined : "The indexes are filled in the background";
      const remaining = left.has(slug) ? incomplete : later;
      const shown = detail ?? (state === "applied" ? remaining : undefined);
      return {
        backend,
        objectType: slug,
        state,
        actions: [...actions],
        ...given({ detail: shown }),
      };
    });
  }

  async #syncSearch(work: Work, workspaceId: string, isDryRun: boolean): Promise<SyncResult[]> {
    const backend = "search" as const;
    const { objectTypes, indexes } = this.services;
    const filling = await objectTypes.fillingSearch(work, workspaceId, !isDryRun);
    if (filling.length === 0) return [{ backend, state: "already_applied", actions: [] }];
    const isDone = isDryRun || (await inTime(indexes.settled()));
    const left =
      !isDryRun && isDone ? await objectTypes.fillingSearch(work, workspaceId, false) : [];
    return filling.map((objectType) => ({
      backend,
      objectType,
      state: isDryRun ? "planned" : "applied",
      actions: ["fill the search index"],
      ...(isDone ? {} : { detail: "The index is filled in the background" }),
      ...(left.includes(objectType) ? { detail: incomplete } : {}),
    }));
  }

  #providerOf({ dialect }: Reader, backend: StorageBackend): string {
    if (backend === "blob") return this.base.blobProvider;
    if (backend !== "search") return dialect;
    return dialect === "sqlite" ? "sqlite-fts5" : "postgresql-tsvector";
  }

  async #askBlobs(workspaceId: string): Promise<void> {
    // The check of the platform's health, so that both report the same.
    await this.base.blobs.check();
    await this.base.blobs.stat({ workspaceId, sha256: probe });
  }

  /** The error of a backend that does not answer, which is also logged. */
  async #faultOf(ask: () => Promise<void>): Promise<StorageError | undefined> {
    try {
      await ask();
      return undefined;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.base.logger.warn({ event: "storage-unreachable", error: String(error) });
      return error;
    }
  }
}

const incomplete = "Not everything is done: sync again";

const details: Readonly<Record<StorageBackend, string>> = {
  postgresql: "Workspaces, members and documents, in the platform's database",
  documentdb: "Records of Object Types, in the same database",
  blob: "The bytes of files, by digest",
  search: "The index of document texts and records, built into the same database",
};

function detailOf(backend: StorageBackend, embedding: EmbeddingProgress | undefined): string {
  const detail = details[backend];
  if (backend !== "search" || embedding === undefined) return detail;
  const { model, documents, embedded, error } = embedding;
  const progress = `${detail}; ${model} has embedded ${embedded} of ${counted(documents, "document")}`;
  return error === undefined ? progress : `${progress} and waits: ${error}`;
}

/** True if the work ends within the time that a response waits. */
function inTime(work: Promise<void>): Promise<boolean> {
  return within(
    backgroundWaitMs,
    work.then(() => true),
    false,
  );
}
