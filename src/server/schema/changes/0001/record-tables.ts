import { columnType } from "../../../database/migration.ts";
import { join, raw, statement, type Dialect, type Statement } from "../../../database/statement.ts";

const { text, integer, number, json } = columnType;

/** Object Types, their numbers and record counts, records, and their history. */
export const recordTables = (dialect: Dialect): readonly Statement[] => [
  statement`create table object_types (
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
    search_state ${text} not null default 'ready',
    primary key (workspace_id, id)
  )`,
  statement`create unique index object_types_by_slug on object_types (workspace_id, slug)`,
  statement`create unique index object_types_by_name on object_types (workspace_id, name)`,
  statement`create unique index object_types_by_number on object_types (workspace_id, number)`,
  statement`create table resource_counts (
    workspace_id ${text} not null,
    type_number ${integer} not null,
    shard ${integer} not null,
    records ${integer} not null,
    primary key (workspace_id, type_number, shard)
  )`,
  ...(dialect === "sqlite" ? sqliteRecords : postgresqlRecords),
];

const textColumns = Array.from({ length: 16 }, (_, index) => `t${index + 1}`);
const numberColumns = Array.from({ length: 8 }, (_, index) => `n${index + 1}`);
const uniqueColumns = Array.from({ length: 4 }, (_, index) => `u${index + 1}`);

const resourceColumns = statement`workspace_id ${text} not null,
    type_number ${integer} not null,
    id ${text} not null,
    version ${integer} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    created_by ${text} not null,
    updated_by ${text} not null,
    data ${json} not null,
    ${join([
      ...textColumns.map((name) => statement`${raw(name)} ${text}`),
      ...numberColumns.map((name) => statement`${raw(name)} ${number}`),
      ...uniqueColumns.map((name) => statement`${raw(name)} ${text}`),
    ])}`;

const historyColumns = statement`resource_id ${text} not null,
    version ${integer} not null,
    type_number ${integer} not null,
    operation ${text} not null,
    at ${text} not null,
    actor ${text} not null,
    changes ${json}`;

const uniqueIndexes = uniqueColumns.map((name) =>
  raw(`create unique index resources_${name} on resources (workspace_id, type_number, ${name})
    where ${name} is not null`),
);

/**
 * The number follows from the id (see `record-numbers.ts`) and ends each index entry instead of it.
 * The type's number implies its workspace, which only makes an index larger.
 */
const sqliteRecords: readonly Statement[] = [
  statement`create table resources (
    record_number integer primary key,
    ${resourceColumns}
  )`,
  ...[...textColumns, ...numberColumns].map((name) =>
    raw(`create index resources_${name} on resources (type_number, ${name})
      where ${name} is not null`),
  ),
  ...uniqueIndexes,
  raw("create index resources_by_id on resources (type_number)"),
  statement`create table resource_history (
    ${historyColumns},
    primary key (resource_id, version)
  ) without rowid`,
];

const postgresqlRecords: readonly Statement[] = [
  statement`create table resources (
    ${resourceColumns},
    constraint resources_by_id primary key (workspace_id, type_number, id)
  )`,
  ...[...textColumns, ...numberColumns].map((name) =>
    raw(`create index resources_${name} on resources (type_number, ${name}, id)
      where ${name} is not null`),
  ),
  ...uniqueIndexes,
  // A target of 200 finds the 200 largest types; one of 1,000 reads 300,000 whole records at once.
  raw("alter table resources alter column type_number set statistics 200"),
  raw(`create statistics resources_of_types (dependencies)
    on workspace_id, type_number from resources`),
  statement`create table resource_history (
    workspace_id ${text} not null,
    ${historyColumns},
    primary key (workspace_id, resource_id, version)
  )`,
];
