import type { DeletionReceipt } from "#contract/documents/records.ts";
import { Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { VersionMatch, WorkspaceScope } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Alerts } from "../alerts/service.ts";
import type { Archives } from "../archives/service.ts";
import type { AuditLog } from "../audit/service.ts";
import type { DocumentService } from "../documents/service.ts";
import { eraseQuotes } from "../chat/service.ts";
import type { IdempotencyService } from "../idempotency/service.ts";
import { compact, type WorkspacePurges } from "../purges/service.ts";
import { namedValue, type ResourceService } from "../records/service.ts";
import type { WebhookSources } from "../webhook-sources/service.ts";
import type { Webhooks } from "../webhooks/service.ts";
import {
  addErasures,
  erasedSince,
  isKnown,
  openErasures,
  settleErasure,
  type ErasureRow,
} from "./store.ts";
import type { ErasedId } from "./erased-id.ts";

export { erasedKinds, type ErasedId } from "./erased-id.ts";

/** The lists of erased ids that outlive the database: of the data directory and of its backups. */
export interface ErasureLists {
  /** The ids of the data directory's list. */
  read(): Promise<readonly ErasedId[]>;
  /** Adds those that a list lacks to each of the lists. */
  add(ids: readonly ErasedId[]): Promise<void>;
}

interface ErasureParts {
  readonly platformWork: PlatformWork;
  readonly alerts: Pick<Alerts, "erase">;
  readonly archives: Pick<Archives, "erase">;
  readonly audit: AuditLog;
  readonly idempotency: IdempotencyService;
  readonly resources: ResourceService;
  readonly documents: DocumentService;
  readonly purges: WorkspacePurges;
  readonly webhookSources: WebhookSources;
  readonly webhooks: Pick<Webhooks, "eraseAnswers">;
  readonly lists: ErasureLists;
  /** SQLite: empties the write-ahead log; false while a reader needs it. */
  readonly emptyLog: (() => Promise<boolean>) | undefined;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
}

interface DocumentErasure {
  readonly jobId: string | undefined;
  readonly ifMatch: VersionMatch | undefined;
}

const lookIntervalMs = 30_000;
/** Requests that had begun before an erasure have ended after this time. */
const settleMs = 60_000;
const settledAtOnce = 100;
/** Clocks of several platforms differ by less than this. */
const overlapMs = 10 * 60_000;
const idsAtOnce = 50;
const compactMs = 5_000;

/**
 * Erasures of records and documents for good (a restored backup repeats them). The removal and its
 * id are one unit; what follows it is done again a minute later, also after a crash.
 */
export class Erasures {
  readonly #work: Work;
  #listedUntil: string | undefined;
  #compacting: Promise<unknown> | undefined;

  constructor(private readonly parts: ErasureParts) {
    this.#work = parts.platformWork("erasures of records and documents");
  }

  /** Erases what a restored database still has. Call it before the first request. */
  async begin(): Promise<void> {
    const { lists, lifetime, purges } = this.parts;
    for (const listed of await lists.read()) await this.#repeat(listed);
    purges.wake();
    await this.#list();
    lifetime.every(lookIntervalMs, "erasures-not-settled", () => this.settle());
    lifetime.onClose(() => this.idle());
  }

  /** Resolves when no index is rewritten. */
  async idle(): Promise<void> {
    await this.#compacting?.catch(() => {});
  }

  /** Erases a record with its history, files and kept answers; see `RecordErasures.erase`. */
  async record(
    work: Work,
    { workspace, slug, mayRead }: { workspace: WorkspaceScope; slug: string; mayRead: boolean },
    record: { readonly id: string; readonly ifMatch: VersionMatch | undefined },
  ): Promise<void> {
    requireAdmin(workspace);
    const by = work.scope.caller;
    const at = this.parts.now().toISOString();
    const scope = { workspaceId: workspace.id, slug, mayRead };
    const rowOf = (id: string): ErasureRow => rowOfRecord(workspace.id, id, { at, by });
    const { ids, values } = await this.parts.resources.erasures.erase(
      work,
      scope,
      record,
      (tx, erased) => addErasures(tx, erased.map(rowOf)),
    );
    await this.#finish(ids.map(rowOf), values, true);
  }

  /** Erases a document with its file, passages and kept answers, also one that is deleted. */
  async document(
    work: Work,
    workspace: WorkspaceScope,
    id: string,
    options: DocumentErasure,
  ): Promise<DeletionReceipt> {
    requireAdmin(workspace);
    const at = this.parts.now().toISOString();
    const rowOf = (documentId: string): ErasureRow => ({
      kind: "document",
      workspaceId: workspace.id,
      id: documentId,
      at,
      by: work.scope.caller,
    });
    const receipt = await this.parts.documents.erase(work, workspace, id, {
      ...options,
      note: (tx, documentId) => addErasures(tx, [rowOf(documentId)]),
    });
    await this.#finish([rowOf(receipt.documentId)], new Set(), true);
    return receipt;
  }

  /** The second pass: removes what requests wrote that had begun before an erasure. */
  async settle(): Promise<void> {
    const { now } = this.parts;
    const before = new Date(now().getTime() - settleMs).toISOString();
    await this.#list();
    const open = await openErasures(this.#work.read, before, settledAtOnce);
    if (open.length === 0) return;
    for (const row of open) {
      await this.#remove(row);
      await this.#eraseTraces([row], new Set(), false);
    }
    await compact(this.#work, this.parts.emptyLog, Number.POSITIVE_INFINITY);
    const at = now().toISOString();
    await this.#work.write(async (tx) => {
      for (const row of open) await settleErasure(tx, row, at);
    });
  }

  /** Repeats a listed erasure on a database that does not have it. */
  async #repeat(listed: ErasedId): Promise<void> {
    const { purges, logger } = this.parts;
    if (listed.kind === "workspace") {
      await this.#work.write((tx) => purges.beginAgain(tx, listed.id));
      return;
    }
    if (await isKnown(this.#work.read, listed)) return;
    const row = { ...listed, by: "" };
    logger.info({ event: "erased-again", kind: row.kind, id: row.id });
    const values = await this.#remove(row);
    await this.#work.write((tx) => addErasures(tx, [row]));
    await this.#eraseTraces([row], values, true);
  }

  /** Removes a record or document without its caller; returns the values that it had. */
  async #remove({ workspaceId, kind, id, ...rest }: ErasureRow): Promise<ReadonlySet<string>> {
    const work = this.#work.within(workspaceId);
    const note = (tx: Transaction, ids: readonly string[]): Promise<void> =>
      addErasures(
        tx,
        ids.map((each) => ({ workspaceId, kind, id: each, ...rest })),
      );
    if (kind === "record") {
      const { erasures } = this.parts.resources;
      const erased = await erasures.eraseListed(work, workspaceId, id, note);
      return erased?.values ?? new Set();
    }
    await this.parts.documents.eraseListed(work, workspaceId, id);
    return new Set();
  }

  async #finish(
    rows: readonly ErasureRow[],
    values: ReadonlySet<string>,
    isFirst: boolean,
  ): Promise<void> {
    await this.#eraseTraces(rows, values, isFirst);
    const { emptyLog, lists, logger } = this.parts;
    await lists.add(rows);
    const compacted = compact(this.#work, emptyLog, compactMs);
    this.#compacting = keptPromise(compacted);
    inBackground(logger, "erasures-not-compacted", () => compacted);
  }

  /** Removes answers that quote erased records or documents, and values in the audit. */
  async #eraseTraces(
    rows: readonly ErasureRow[],
    values: ReadonlySet<string>,
    isFirst: boolean,
  ): Promise<void> {
    const { alerts, archives, idempotency, audit, webhookSources, webhooks } = this.parts;
    for (let start = 0; start < rows.length; start += idsAtOnce) {
      const some = rows.slice(start, start + idsAtOnce);
      const [first] = some;
      if (first === undefined || first.kind === "workspace") return;
      const ids = some.map(({ id }) => id);
      const { workspaceId, kind, at, by } = first;
      await idempotency.eraseQuoting(workspaceId, ids);
      await eraseQuotes(this.#work.within(workspaceId), workspaceId, ids);
      await webhookSources.received.erase(workspaceId, ids);
      await webhooks.eraseAnswers(workspaceId, ids);
      await alerts.erase(this.#work.within(workspaceId), workspaceId, ids);
      await archives.erase(workspaceId, at);
      const isValue = (property: string, value: string): boolean =>
        values.has(namedValue(property, value));
      await audit.erase({ workspaceId, kind, ids, at, by, isFirst, isValue });
    }
  }

  /** Writes new ids into the lists. */
  async #list(): Promise<void> {
    const { lists, now } = this.parts;
    const started = new Date(now().getTime() - overlapMs).toISOString();
    await lists.add(await erasedSince(this.#work.read, this.#listedUntil));
    this.#listedUntil = started;
  }
}

/** 403 for a caller that is no tenant-admin, also for a role that names the routes of deletions. */
function requireAdmin({ role }: WorkspaceScope): void {
  if (roleIncludes(role, "tenant-admin")) return;
  throw new Refusal("permission-denied", {
    detail: "Only a tenant-admin may erase for good; a deletion without it can be restored",
    members: { requiredRole: "tenant-admin", currentRole: role },
  });
}

function rowOfRecord(
  workspaceId: string,
  id: string,
  { at, by }: { readonly at: string; readonly by: string },
): ErasureRow {
  return { kind: "record", workspaceId, id, at, by };
}
