import { columnType } from "../database/migration.ts";
import type { Migration } from "../database/migration.ts";
import { byDialect, join, nothing, raw, statement } from "../database/statement.ts";

const { text, integer, number, json } = columnType;

/** Index columns as they were released: a later migration may add some, never change these. */
const textColumns = Array.from({ length: 16 }, (_, index) => `t${index + 1}`);
const numberColumns = Array.from({ length: 8 }, (_, index) => `n${index + 1}`);
const uniqueColumns = Array.from({ length: 4 }, (_, index) => `u${index + 1}`);

/** Records with their index columns, and the history of every write. */
export const migration: Migration = {
  name: "0004-resources",
  async up(context) {
    const columns = [
      ...textColumns.map((name) => statement`${raw(name)} ${text}`),
      ...numberColumns.map((name) => statement`${raw(name)} ${number}`),
      ...uniqueColumns.map((name) => statement`${raw(name)} ${text}`),
    ];
    await context.run(statement`create table resources (
      workspace_id ${text} not null,
      type_number ${integer} not null,
      id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      created_by ${text} not null,
      updated_by ${text} not null,
      data ${json} not null,
      ${join(columns)}${byDialect({
        sqlite: nothing,
        postgresql: raw(", constraint resources_by_id primary key (workspace_id, type_number, id)"),
      })}
    )`);
    if (context.dialect === "sqlite") {
      // Not a primary key, whose index would have no name that a query could ask for.
      await context.run(
        raw(`create unique index resources_by_id on resources (workspace_id, type_number, id)`),
      );
    }
    // A type's number implies its workspace, which would only make these indexes larger.
    for (const name of [...textColumns, ...numberColumns]) {
      await context.run(
        raw(`create index resources_${name} on resources (type_number, ${name}, id)
          where ${name} is not null`),
      );
    }
    for (const name of uniqueColumns) {
      await context.run(
        raw(`create unique index resources_${name} on resources (workspace_id, type_number, ${name})
          where ${name} is not null`),
      );
    }
    if (context.dialect === "postgresql") {
      // Of a hundred workspaces' types each has its share; and a type is of one workspace only.
      await context.run(raw("alter table resources alter column type_number set statistics 1000"));
      await context.run(
        raw(`create statistics resources_of_types (dependencies)
          on workspace_id, type_number from resources`),
      );
    }
    await context.run(statement`create table resource_history (
      workspace_id ${text} not null,
      resource_id ${text} not null,
      version ${integer} not null,
      type_number ${integer} not null,
      operation ${text} not null,
      at ${text} not null,
      actor ${text} not null,
      changes ${json},
      primary key (workspace_id, resource_id, version)
    )${byDialect({ sqlite: raw(" without rowid"), postgresql: nothing })}`);
  },
};
