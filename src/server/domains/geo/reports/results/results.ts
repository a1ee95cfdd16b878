import type { ReportDefinition, ReportResultInfo } from "#contract/geo/reports.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { JobRunner } from "../../../../jobs/runner.ts";
import type { Reader } from "../../../../database/database.ts";
import { enqueueJob, getJob } from "../../../../jobs/store.ts";
import { Scheduler } from "../../../../jobs/scheduler.ts";
import type { ListCursors } from "../../../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../../../kit/lists/pages.ts";
import type { Transaction, Work } from "../../../../work/work.ts";
import type { PlatformBase } from "../../../base.ts";
import type { ReportScope } from "../report-items.ts";
import type { ReportRecord } from "../report-store.ts";
import { definitionOf, unchangedReport, type ReportPlace, type Reports } from "../reports.ts";
import type { PlacedResult, PlacedRow } from "../run-report.ts";
import { DueReports } from "./due-reports.ts";
import { reportJobKind, reportStage, reportWork, type ReportJobParts } from "./report-job.ts";
import {
  countResults,
  formerResults,
  insertResult,
  resultById,
  resultOfJob,
  resultsOf,
  type ResultRecord,
} from "./result-store.ts";

type Uses = ReportJobParts & { readonly jobs: Pick<JobRunner, "wake"> };

/** Stored results of reports, which jobs make on request and by schedule. */
export class ReportResults {
  readonly kinds;
  readonly #scheduler: Scheduler;
  #uses: Uses | undefined;

  constructor(
    private readonly base: Pick<PlatformBase, "platformWork" | "worker" | "now" | "lifetime">,
    private readonly cursors: ListCursors,
    private readonly reports: Pick<Reports, "require" | "isVisible">,
  ) {
    const { platformWork, now } = base;
    this.kinds = { [reportJobKind]: reportWork(() => this.#started(), now) };
    const task = new DueReports({
      platformWork,
      now,
      ask: (tx, report, oid) => this.#ask(tx, report, oid, 1),
      onAsked: () => this.#uses?.jobs.wake(),
    });
    this.#scheduler = new Scheduler({ ...base, task });
  }

  /** Starts the schedules, once the runner of jobs and the parts of reports are there. */
  runWith(uses: Uses): void {
    this.#uses = uses;
    this.#scheduler.start();
  }

  /** Asks for a result, which a job makes with the rights of the caller. */
  async start(work: Work, { workspaceId, report, oid }: ReportPlace): Promise<ReportResultInfo> {
    const seen = await this.reports.require(work, { workspaceId, report });
    const asked = await work.write(async (tx) => {
      const row = await unchangedReport(tx, seen);
      const result = await this.#ask(tx, row, oid, 0);
      tx.note({ target: { report, result: result.id } });
      const answer = infoOf(report, result);
      tx.remember(answer, { status: 202 });
      return answer;
    });
    this.#started().jobs.wake();
    return asked;
  }

  async list(
    work: Work,
    { workspaceId, report }: Omit<ReportPlace, "oid">,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<ReportResultInfo>> {
    const { read } = work;
    const { id, definition } = await this.reports.require(work, { workspaceId, report });
    const key = { workspace_id: workspaceId, report_id: id };
    const without = await this.#hidden(work, key, definition);
    const pages = new ListPages(this.cursors, ["geo report results", workspaceId, id]);
    const start = pages.start(query);
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    const rows = await resultsOf(read, { ...page, ...key, without });
    const shown = await Promise.all(
      rows.map((row) => resultWithJob(read, row, () => resultOfJob(read, workspaceId, row.job_id))),
    );
    return pages.body(start, {
      rows: shown,
      itemOf: (row) => infoOf(report, row),
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countResults(read, { ...key, without }) : undefined,
    });
  }

  /**
   * A result with its rows, of which the caller gets what it may read now: a hidden property is
   * refused 422 as in a run. The rows are undefined before the end.
   */
  async get(
    scope: ReportScope,
    report: string,
    id: string,
  ): Promise<{ readonly info: ReportResultInfo; readonly placed: PlacedResult | undefined }> {
    const { work, workspace } = scope;
    const { read } = work;
    const place = { workspaceId: workspace.id, report };
    const key = {
      workspace_id: workspace.id,
      report_id: (await this.reports.require(work, place)).id,
      id,
    };
    const stored = await resultById(read, key);
    if (stored === undefined) throw noSuchResult();
    if (!(await this.#isVisible(work, stored))) throw noSuchResult();
    const found = await resultWithJob(read, stored, () => resultById(read, key));
    const info = infoOf(report, found);
    const { content, items, placed, finished_at, created_at } = found;
    if (content === null) return { info, placed: undefined };
    // Only a job writes the columns.
    const definition = JSON.parse(found.definition) as ReportDefinition;
    const rows = JSON.parse(content) as readonly PlacedRow[];
    const readable = await this.#started().runs.readableRows(scope, definition, rows);
    const at = finished_at ?? created_at;
    const { kind } = definition.by;
    return { info, placed: { report, kind, at, items, placed, rows: readable } };
  }

  /** The ids of results whose former question names what the caller may not read. */
  async #hidden(
    work: Work,
    key: Pick<ResultRecord, "workspace_id" | "report_id">,
    visible: string,
  ): Promise<string[]> {
    const rows = await formerResults(work.read, { ...key, definition: visible });
    const hidden: string[] = [];
    for (const row of rows) if (!(await this.#isVisible(work, row))) hidden.push(row.id);
    return hidden;
  }

  #isVisible(
    work: Work,
    { workspace_id: workspaceId, definition }: Pick<ResultRecord, "workspace_id" | "definition">,
  ): Promise<boolean> {
    // Only the request of a report writes the column.
    return this.reports.isVisible(work, workspaceId, JSON.parse(definition) as ReportDefinition);
  }

  async #ask(
    tx: Transaction,
    report: ReportRecord,
    oid: string,
    isScheduled: 0 | 1,
  ): Promise<ResultRecord> {
    const { workspace_id: workspaceId, id: report_id, definition } = report;
    const payload = { reportId: report_id };
    const now = this.base.now();
    const job = await enqueueJob(
      tx,
      { workspaceId, kind: reportJobKind, payload, stages: [reportStage], createdBy: oid },
      now,
    );
    const row: ResultRecord = {
      workspace_id: workspaceId,
      id: job.id,
      report_id,
      job_id: job.id,
      definition,
      status: "queued",
      is_scheduled: isScheduled,
      kind: definitionOf(report).by.kind,
      items: 0,
      placed: 0,
      row_count: 0,
      error: null,
      created_by: oid,
      created_at: now.toISOString(),
      finished_at: null,
    };
    await insertResult(tx, row);
    return row;
  }

  #started(): Uses {
    if (this.#uses === undefined) throw new Error("Reports are used before the platform starts");
    return this.#uses;
  }
}

function noSuchResult(): Refusal {
  return new Refusal("not-found", { detail: "This report has no such result" });
}

/** The state of a result whose job has ended without storing an outcome is failed. */
export async function resultWithJob<Row extends ResultRecord>(
  reader: Reader,
  row: Row,
  again: () => Promise<Row | undefined>,
): Promise<Row> {
  if (row.status !== "queued") return row;
  const job = await getJob(reader, { workspaceId: row.workspace_id, id: row.job_id });
  const isOpen = job !== undefined && ["queued", "running", "interrupted"].includes(job.state);
  if (isOpen) return row;
  // A job stores its outcome before it ends, which may have come after the row was read.
  const last = (await again()) ?? row;
  if (last.status !== "queued") return last;
  const error = job?.error?.message ?? "Its job has ended without a result";
  return { ...last, status: "failed", error, finished_at: job?.updatedAt ?? row.created_at };
}

function infoOf(report: string, row: ResultRecord): ReportResultInfo {
  const { id, job_id: jobId, status, kind, items, placed, row_count: rowCount } = row;
  const { created_by, created_at, finished_at } = row;
  return {
    result: id,
    report,
    jobId,
    status,
    scheduled: row.is_scheduled === 1,
    kind,
    items,
    placed,
    rowCount,
    error: row.error === null ? null : { message: row.error },
    created_by,
    created_at,
    finished_at,
  };
}
