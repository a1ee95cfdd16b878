import type {
  GeoReport,
  ReportChanges,
  ReportCreation,
  ReportDefinition,
  ReportReplacement,
  ReportSchedule,
} from "#contract/geo/reports.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../../database/database.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../../kit/lists/pages.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { ChangeOperation } from "../../../work/change-event.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import { lockWorkspace } from "../../workspace-lock.ts";
import { requireVersion } from "../datasets/datasets.ts";
import { requireDefinition } from "./definition.ts";
import {
  countReports,
  deleteReport,
  insertReport,
  reportNamed,
  reportsOf,
  updateReport,
  type ReportRecord,
} from "./report-store.ts";
import { deleteResults } from "./results/result-store.ts";
import { timeAfter } from "./results/schedule.ts";
import { VisibleReports } from "./visible-reports.ts";

export const maximumReports = 1_000;
const rowsAtOnce = 100;

/** The report that a request names, and who asks. */
export interface ReportPlace {
  readonly workspaceId: string;
  readonly report: string;
  readonly oid: string;
}

/** Keeps the stored reports of workspaces. */
export class Reports {
  readonly #visible: VisibleReports;

  constructor(
    private readonly parts: {
      readonly cursors: ListCursors;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly now: () => Date;
    },
  ) {
    this.#visible = new VisibleReports(parts.objectTypes);
  }

  async list(
    work: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<GeoReport>> {
    const pages = new ListPages(this.parts.cursors, ["geo reports", workspaceId]);
    const start = pages.start(query);
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    const selection = { workspaceId, without: await this.#hidden(work, workspaceId) };
    return pages.body(start, {
      rows: await reportsOf(work.read, { ...page, ...selection }),
      itemOf: reportOf,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countReports(work.read, selection) : undefined,
    });
  }

  async get(work: Work, place: Omit<ReportPlace, "oid">): Promise<GeoReport> {
    return reportOf(await this.require(work, place));
  }

  /** The report; 404 without one, and for one that names what the caller may not read. */
  async require(
    work: Work,
    { workspaceId, report }: Omit<ReportPlace, "oid">,
  ): Promise<ReportRecord> {
    const row = await requireReport(work.read, workspaceId, report);
    if (await this.#visible.isVisible(work, workspaceId, definitionOf(row))) return row;
    throw noSuchReport();
  }

  /** True for a definition that names nothing which the caller may not read. */
  isVisible(work: Work, workspaceId: string, definition: ReportDefinition): Promise<boolean> {
    return this.#visible.isVisible(work, workspaceId, definition);
  }

  /** The ids of reports that do not exist for the caller, of all that a workspace may have. */
  async #hidden(work: Work, workspaceId: string): Promise<string[]> {
    if (this.#visible.seesAll(work, workspaceId)) return [];
    const hidden: string[] = [];
    let after: { readonly createdAt: string; readonly id: string } | undefined;
    do {
      const rows = await reportsOf(work.read, { workspaceId, after, limit: rowsAtOnce, offset: 0 });
      for (const row of rows) {
        if (await this.#visible.isVisible(work, workspaceId, definitionOf(row))) continue;
        hidden.push(row.id);
      }
      const last = rows.length < rowsAtOnce ? undefined : rows.at(-1);
      after = last && { createdAt: last.created_at, id: last.id };
    } while (after !== undefined);
    return hidden;
  }

  async create(
    work: Work,
    { workspaceId, oid }: Omit<ReportPlace, "report">,
    { report: slug, title = slug, description = "", schedule, ...definition }: ReportCreation,
  ): Promise<GeoReport> {
    requireDefinition(definition);
    await this.#visible.requireVisible(work, workspaceId, definition);
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      if ((await countReports(tx, { workspaceId })) >= maximumReports) throw full();
      const at = this.parts.now().toISOString();
      const row: ReportRecord = {
        workspace_id: workspaceId,
        id: Bun.randomUUIDv7(),
        slug,
        title,
        description,
        definition: JSON.stringify(definition),
        ...scheduleColumns(schedule, oid, this.parts.now()),
        version: 1,
        created_by: oid,
        created_at: at,
        updated_by: oid,
        updated_at: at,
      };
      if (!(await insertReport(tx, row))) throw nameTaken(slug);
      noteChange(tx, "created", undefined, row);
      const answer = reportOf(row);
      tx.remember(answer, { status: 201 });
      return answer;
    });
  }

  replace(
    work: Work,
    place: ReportPlace,
    { version, title, description = "", schedule, ...definition }: ReportReplacement,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoReport> {
    const change = () => ({ title, description, definition, schedule: schedule ?? null });
    return this.#change(work, place, { version, ifMatch, change });
  }

  /** Null removes the filter, the metrics or the schedule. */
  update(
    work: Work,
    place: ReportPlace,
    { version, title, description, where, metrics, schedule, ...others }: ReportChanges,
    ifMatch: VersionMatch | undefined,
  ): Promise<GeoReport> {
    const change = (before: ReportRecord) => {
      const old = definitionOf(before);
      const kept = { where: where === undefined ? old.where : (where ?? undefined) };
      const values = { metrics: metrics === undefined ? old.metrics : (metrics ?? undefined) };
      const definition = { ...old, ...given(others), ...kept, ...values };
      return { ...given({ title, description, schedule }), definition };
    };
    return this.#change(work, place, { version, ifMatch, change });
  }

  async remove(work: Work, place: ReportPlace, ifMatch: VersionMatch | undefined): Promise<void> {
    const { workspaceId, report } = place;
    const seen = await this.require(work, place);
    await work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const row = await requireReport(tx, workspaceId, report);
      requireMatch(ifMatch, row.version);
      requireSame(seen, row);
      await deleteReport(tx, row);
      await deleteResults(tx, { workspace_id: workspaceId, report_id: row.id });
      noteChange(tx, "deleted", row, undefined);
    });
  }

  async #change(
    work: Work,
    place: ReportPlace,
    made: {
      readonly version: number | undefined;
      readonly ifMatch: VersionMatch | undefined;
      readonly change: (before: ReportRecord) => {
        readonly title?: string;
        readonly description?: string;
        readonly definition: ReportDefinition;
        readonly schedule?: ReportSchedule | null;
      };
    },
  ): Promise<GeoReport> {
    const { workspaceId, report, oid } = place;
    const seen = await this.require(work, place);
    const { definition, schedule, ...described } = made.change(seen);
    requireDefinition(definition);
    await this.#visible.requireVisible(work, workspaceId, definition);
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const before = await requireReport(tx, workspaceId, report);
      requireMatch(made.ifMatch, before.version);
      requireVersion(made.version, before.version, "report");
      requireSame(seen, before);
      // Another question must not run with the rights of the one who made the schedule.
      const rights = before.schedule === null ? {} : { scheduled_by: oid };
      const changes = {
        ...described,
        ...(schedule === undefined ? rights : scheduleColumns(schedule, oid, this.parts.now())),
        definition: JSON.stringify(definition),
        version: before.version + 1,
        updated_by: oid,
        updated_at: this.parts.now().toISOString(),
      };
      await updateReport(tx, before, changes);
      const row = { ...before, ...changes };
      noteChange(tx, "updated", before, row);
      return reportOf(row);
    });
  }
}

/** The report as its rights were checked; 404 and 409 for one that was removed or changed since. */
export async function unchangedReport(reader: Reader, seen: ReportRecord): Promise<ReportRecord> {
  const now = await requireReport(reader, seen.workspace_id, seen.slug);
  requireSame(seen, now);
  return now;
}

/** 409 for a report that another request has changed since its rights were checked. */
function requireSame(seen: ReportRecord, now: ReportRecord): void {
  if (seen.id === now.id && seen.version === now.version) return;
  throw new Refusal("conflict", {
    detail: "Another request has changed this report meanwhile: read it again, and repeat this",
  });
}

/** The report with this name; 404 without one. */
async function requireReport(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<ReportRecord> {
  const row = await reportNamed(reader, workspaceId, slug);
  if (row !== undefined) return row;
  throw noSuchReport();
}

function noSuchReport(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no such report" });
}

export function definitionOf({ definition }: Pick<ReportRecord, "definition">): ReportDefinition {
  // The schema of the route has checked the definition before it was stored.
  return JSON.parse(definition) as ReportDefinition;
}

export function scheduleOf({ schedule }: Pick<ReportRecord, "schedule">) {
  // The schema of the route has checked the schedule before it was stored.
  return schedule === null ? undefined : (JSON.parse(schedule) as ReportSchedule);
}

function scheduleColumns(schedule: ReportSchedule | null | undefined, oid: string, now: Date) {
  if (schedule === null || schedule === undefined) {
    return { schedule: null, scheduled_by: null, due_at: null };
  }
  const due_at = timeAfter(schedule, now).toISOString();
  return { schedule: JSON.stringify(schedule), scheduled_by: oid, due_at };
}

function reportOf(row: ReportRecord): GeoReport {
  const { slug: report, title, description, version } = row;
  const { created_by, created_at, updated_by, updated_at } = row;
  const made = { created_by, created_at, updated_by, updated_at };
  const times = given({
    schedule: scheduleOf(row),
    scheduled_by: row.scheduled_by ?? undefined,
    due_at: row.due_at ?? undefined,
  });
  return { report, title, description, ...definitionOf(row), ...times, version, ...made };
}

/** The feed's event and the audit's entry of a change. */
function noteChange(
  tx: Transaction,
  op: ChangeOperation,
  before: ReportRecord | undefined,
  after: ReportRecord | undefined,
): void {
  const row = after ?? before;
  if (row === undefined) return;
  tx.event("setting", row.slug, row.workspace_id, { op, type: "geo-report" });
  const facts = (each: ReportRecord | undefined) =>
    each && { title: each.title, version: each.version, source: definitionOf(each).source };
  const states = given({ before: facts(before), after: facts(after) });
  tx.note({ target: { report: row.slug }, ...states });
}

function full(): Refusal {
  return new Refusal("conflict", {
    detail: `Cannot add another report: a workspace has at most ${maximumReports}. Delete one first`,
  });
}

function nameTaken(slug: string): Refusal {
  const detail = `"${slug}" is already used in this workspace`;
  return new Refusal("already-exists", {
    detail: `Cannot create this report: report ${detail}`,
    errors: [{ pointer: pointer("report"), detail }],
  });
}
