import type { ScheduledTask } from "../../../../jobs/scheduler.ts";
import type { Work } from "../../../../work/work.ts";
import type { PlatformWork } from "../../../../work/works.ts";
import { dueReports, moveDue, type ReportRecord } from "../report-store.ts";
import { scheduleOf } from "../reports.ts";
import { timeAfter } from "./schedule.ts";

const reportsAtOnce = 100;

/** Asks for the results of reports whose time has come, once for each time. */
export class DueReports implements ScheduledTask {
  readonly name = "geo-reports";
  readonly #work: Work;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly now: () => Date;
      readonly ask: (
        tx: Parameters<Parameters<Work["write"]>[0]>[0],
        report: ReportRecord,
        oid: string,
      ) => Promise<unknown>;
      readonly onAsked: () => void;
    },
  ) {
    this.#work = parts.platformWork("reports by schedule");
  }

  async isDue(): Promise<boolean> {
    return (await this.#due(1)).length > 0;
  }

  /** After a time without the platform, only one result is made. */
  async run(extend: () => Promise<boolean>): Promise<void> {
    for (const report of await this.#due(reportsAtOnce)) {
      if (!(await extend())) return;
      const schedule = scheduleOf(report);
      const next = schedule && timeAfter(schedule, this.parts.now()).toISOString();
      await this.#work.within(report.workspace_id).write(async (tx) => {
        if (!(await moveDue(tx, report, next ?? null))) return;
        await this.parts.ask(tx, report, report.scheduled_by ?? report.updated_by);
      });
      this.parts.onAsked();
    }
  }

  #due(limit: number): Promise<ReportRecord[]> {
    return dueReports(this.#work.read, this.parts.now().toISOString(), limit);
  }
}
