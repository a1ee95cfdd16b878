import { columnType } from "../database/migration.ts";
import type { Migration } from "../database/migration.ts";
import { statement } from "../database/statement.ts";

const { text, integer } = columnType;

/** Object Types, their numbers, and how many records each has. */
export const migration: Migration = {
  name: "0003-object-types",
  async up(context) {
    await context.run(statement`create table object_types (
      workspace_id ${text} not null,
      id ${text} not null,
      number ${integer} not null,
      slug ${text} not null,
      name ${text} not null,
      definition ${text} not null,
      slots ${text} not null,
      loose ${text} not null,
      status ${text} not null,
      version ${integer} not null,
      revision ${integer} not null,
      created_by ${text} not null,
      updated_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await context.run(
      statement`create unique index object_types_by_slug on object_types (workspace_id, slug)`,
    );
    await context.run(
      statement`create unique index object_types_by_name on object_types (workspace_id, name)`,
    );
    await context.run(
      statement`create unique index object_types_by_number on object_types (workspace_id, number)`,
    );
    await context.run(statement`create table object_type_numbers (
      name ${text} not null primary key,
      last ${integer} not null
    )`);
    await context.run(statement`create table resource_counts (
      workspace_id ${text} not null,
      type_number ${integer} not null,
      shard ${integer} not null,
      records ${integer} not null,
      primary key (workspace_id, type_number, shard)
    )`);
  },
};
