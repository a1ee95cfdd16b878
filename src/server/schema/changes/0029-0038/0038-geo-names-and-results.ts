import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * The declared names of a dataset's features, the schedules of reports, and stored results. The
 * previous build reads and writes the tables without them.
 */
export const migration: Migration = {
  name: "0038-geo-names-and-results",
  async up({ run }) {
    // A JSON array of property names; null for properties that are called like a name.
    await run(statement`alter table geo_datasets add column name_properties ${text}`);
    await run(statement`alter table geo_reports add column schedule ${text}`);
    await run(statement`alter table geo_reports add column scheduled_by ${text}`);
    await run(statement`alter table geo_reports add column due_at ${text}`);
    await run(statement`create index geo_reports_by_due on geo_reports (due_at)
      where due_at is not null`);
    await run(statement`create table geo_report_results (
      workspace_id ${text} not null,
      id ${text} not null,
      report_id ${text} not null,
      job_id ${text} not null,
      definition ${text} not null,
      status ${text} not null,
      is_scheduled ${integer} not null,
      kind ${text} not null,
      items ${integer} not null,
      placed ${integer} not null,
      row_count ${integer} not null,
      content ${text},
      error ${text},
      created_by ${text} not null,
      created_at ${text} not null,
      finished_at ${text},
      primary key (workspace_id, id)
    )`);
    await run(statement`create index geo_report_results_by_report
      on geo_report_results (workspace_id, report_id, created_at)`);
  },
};
