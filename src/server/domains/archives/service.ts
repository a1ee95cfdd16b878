import { archiveGroups } from "#contract/workspaces/archive-parts.ts";
import type {
  ArchiveCreation,
  ArchiveManifest,
  WorkspaceArchive,
} from "#contract/workspaces/archives.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../database/database.ts";
import { contentMissing, type StoredContent } from "../../files/content-response.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobRunner, JobWork } from "../../jobs/runner.ts";
import { enqueueJob, getJob } from "../../jobs/store.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformBase } from "../base.ts";
import { exportJobKind, exportStage, exportWork } from "./export/export-job.ts";
import { ArchiveImports } from "./import/archive-imports.ts";
import { keptMs, type ArchivePlace } from "./archive-place.ts";
import { optionsOf } from "./options.ts";
import {
  archiveOfJob,
  archivesOf,
  archivesUpTo,
  deleteArchive,
  expiredArchives,
  insertArchive,
  type ArchiveRecord,
} from "./store.ts";

const lookIntervalMs = 60_000;
const removedAtOnce = 100;

/** Archives of workspaces: one file with everything that a workspace has. */
export class Archives {
  readonly kinds: Readonly<Record<string, JobWork>>;
  readonly imports: ArchiveImports;
  readonly #cursors: ListCursors;
  #jobs: Pick<JobRunner, "wake" | "cancel"> | undefined;

  constructor(private readonly base: PlatformBase) {
    this.#cursors = new ListCursors(base.secrets.for("archives"));
    this.imports = new ArchiveImports(base);
    this.kinds = { [exportJobKind]: exportWork(base), ...this.imports.kinds };
  }

  /** Sets the runner of jobs, and starts to remove archives whose time is over. */
  runWith(jobs: Pick<JobRunner, "wake" | "cancel">): void {
    this.#jobs = jobs;
    this.imports.runWith(jobs);
    this.base.lifetime.every(lookIntervalMs, "archives-not-removed", () => this.sweep());
  }

  async list(
    { read }: Work,
    { workspaceId, oid }: ArchivePlace,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<WorkspaceArchive>> {
    const pages = new ListPages(this.#cursors, ["archives", workspaceId, oid]);
    const start = pages.start(query);
    const owner = { workspace_id: workspaceId, direction: "export", created_by: oid } as const;
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    const rows = await archivesOf(read, owner, page);
    const answers = new Map<string, WorkspaceArchive>();
    for (const row of rows) {
      const job = await getJob(read, { workspaceId, id: row.job_id });
      // Its job may have ended since the page was read, and stored the file before.
      const last = row.sha256 === null ? await archiveOfJob(read, workspaceId, row.job_id) : row;
      answers.set(row.job_id, answerOf(last ?? row, job, false));
    }
    return pages.body(start, {
      rows: [...answers.values()],
      itemOf: (answer) => answer,
      positionOf: (answer) => [answer.created_at ?? "", answer.id],
      total: undefined,
    });
  }

  async create(
    work: Work,
    { workspaceId, oid }: ArchivePlace,
    { groups }: ArchiveCreation,
  ): Promise<WorkspaceArchive> {
    const { now } = this.base;
    const answer = await work.write(async (tx) => {
      const at = now();
      const job = await enqueueJob(
        tx,
        { workspaceId, kind: exportJobKind, payload: {}, stages: [exportStage], createdBy: oid },
        at,
      );
      const row: ArchiveRecord = {
        workspace_id: workspaceId,
        job_id: job.id,
        direction: "export",
        options: JSON.stringify(given({ groups })),
        sha256: null,
        size: 0,
        manifest: null,
        report: null,
        created_by: oid,
        created_at: job.createdAt,
        expires_at: new Date(at.getTime() + keptMs).toISOString(),
      };
      await insertArchive(tx, row);
      tx.note({ target: { archiveId: job.id }, after: { groups: groups ?? archiveGroups } });
      const body = answerOf(row, job, true);
      tx.remember(body);
      return body;
    });
    this.#jobs?.wake();
    return answer;
  }

  /** The state of an archive; 404 for one of another user, and after its end. */
  async get({ read }: Work, place: ArchivePlace, archiveId: string): Promise<WorkspaceArchive> {
    const { row, job } = await this.#require(read, place, archiveId);
    return answerOf(row, job, true);
  }

  /** The file of an archive; 409 while it is not complete. */
  async content({ read }: Work, place: ArchivePlace, archiveId: string): Promise<StoredContent> {
    const { row } = await this.#require(read, place, archiveId);
    const { sha256, size, workspace_id: workspaceId } = row;
    if (sha256 === null) {
      throw new Refusal("conflict", { detail: "This archive has no file: its job has not ended" });
    }
    const bytes = await this.base.blobs.open({ workspaceId, sha256 });
    if (bytes === undefined) throw contentMissing("The file of this archive");
    const filename = `${row.created_at.slice(0, 10)}-${workspaceId}.svcarchive`;
    return { bytes, size, sha256, mediaType: "application/zstd", filename };
  }

  async remove(work: Work, place: ArchivePlace, archiveId: string): Promise<void> {
    await work.write(async (tx) => {
      const { row } = await this.#require(tx, place, archiveId);
      await this.#jobs?.cancel(tx, { workspaceId: row.workspace_id, id: row.job_id });
      await deleteArchive(tx, row);
      tx.note({ target: { archiveId } });
    });
    this.base.removals.wake();
  }

  /** Removes archives whose time is over. */
  async sweep(): Promise<void> {
    const { platformWork, now, removals } = this.base;
    const everywhere = platformWork("archives whose time is over");
    const rows = await expiredArchives(everywhere.read, now().toISOString(), removedAtOnce);
    for (const row of rows) {
      await everywhere.within(row.workspace_id).write((tx) => deleteArchive(tx, row));
    }
    if (rows.length > 0) removals.wake();
  }

  /** Removes the archives that may have what was erased at a time. */
  async erase(workspaceId: string, at: string): Promise<void> {
    const work = this.base.platformWork("archives of erased things").within(workspaceId);
    for (let count = removedAtOnce; count === removedAtOnce;) {
      const rows = await archivesUpTo(work.read, workspaceId, at, removedAtOnce);
      await work.write(async (tx) => {
        for (const row of rows) await deleteArchive(tx, row);
      });
      if (rows.length > 0) this.base.removals.wake();
      count = rows.length;
    }
  }

  async #require(
    reader: Reader,
    { workspaceId, oid }: ArchivePlace,
    archiveId: string,
  ): Promise<{ readonly row: ArchiveRecord; readonly job: Job | undefined }> {
    // Its job ends after the row was stored, so that the row of an ended job is the last one.
    const job = await getJob(reader, { workspaceId, id: archiveId });
    const row = await archiveOfJob(reader, workspaceId, archiveId);
    const isShown =
      row !== undefined &&
      row.direction === "export" &&
      row.created_by === oid &&
      row.expires_at > this.base.now().toISOString();
    if (!isShown) {
      throw new Refusal("not-found", { detail: "You have no such archive of this workspace" });
    }
    return { row, job };
  }
}

function answerOf(row: ArchiveRecord, job: Job | undefined, isWhole: boolean): WorkspaceArchive {
  const { sha256, size, manifest } = row;
  const isComplete = sha256 !== null;
  return {
    id: row.job_id,
    status: job?.state ?? (isComplete ? "succeeded" : "failed"),
    percentCompleted: job?.percentCompleted ?? 100,
    groups: [...(optionsOf(row).groups ?? archiveGroups)],
    ...(isComplete && { size, sha256 }),
    // Only the export writes the column.
    ...(isWhole && manifest !== null && { manifest: JSON.parse(manifest) as ArchiveManifest }),
    error: job?.error === undefined || job.error === null ? null : { ...job.error },
    created_at: row.created_at,
    expiresAt: row.expires_at,
  };
}
