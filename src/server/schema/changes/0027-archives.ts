import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/**
 * Archives that users have asked for or given, one for each job, and the ids that an import has
 * made because its archive's ids were taken.
 */
export const migration: Migration = {
  name: "0027-archives",
  async up({ run }) {
    await run(statement`create table workspace_archives (
      workspace_id ${text} not null,
      job_id ${text} not null,
      direction ${text} not null,
      options ${text} not null,
      sha256 ${text},
      size ${integer} not null,
      manifest ${text},
      report ${text},
      created_by ${text} not null,
      created_at ${text} not null,
      expires_at ${text} not null,
      primary key (workspace_id, job_id)
    )`);
    await run(statement`create index workspace_archives_by_file
      on workspace_archives (workspace_id, sha256) where sha256 is not null`);
    await run(statement`create index workspace_archives_by_end on workspace_archives (expires_at)`);
    await run(statement`create table archive_ids (
      workspace_id ${text} not null,
      job_id ${text} not null,
      kind ${text} not null,
      archived ${text} not null,
      stored ${text} not null,
      primary key (workspace_id, job_id, kind, archived)
    )`);
  },
};
