import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** Stored reports about records and features by place. */
export const migration: Migration = {
  name: "0025-geo-reports",
  async up({ run }) {
    await run(statement`create table geo_reports (
      workspace_id ${text} not null,
      id ${text} not null,
      slug ${text} not null,
      title ${text} not null,
      description ${text} not null,
      definition ${text} not null,
      version ${integer} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_by ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await run(statement`create unique index geo_reports_by_slug
      on geo_reports (workspace_id, slug)`);
  },
};
