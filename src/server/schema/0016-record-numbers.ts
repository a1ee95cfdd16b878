import type { Migration, MigrationContext } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/** As 0004 has them. */
const textColumns = Array.from({ length: 16 }, (_, index) => `t${index + 1}`);
const numberColumns = Array.from({ length: 8 }, (_, index) => `n${index + 1}`);
const uniqueColumns = Array.from({ length: 4 }, (_, index) => `u${index + 1}`);
const slotColumns = [...textColumns, ...numberColumns, ...uniqueColumns];
const recordColumns = `workspace_id, type_number, id, version, created_at, updated_at, created_by,
  updated_by, data, ${slotColumns.join(", ")}`;

/**
 * SQLite: records by numbers that follow from their ids (see `record-numbers.ts`). Every index of them,
 * and that of what is searched, held the id before, which is longer than all else in an entry; and
 * each record was found by an index of ids first, which is gone.
 */
export const migration: Migration = {
  name: "0016-record-numbers",
  async up(context) {
    if (context.dialect === "postgresql") return;
    // One that is missing stays so: values may not be unique any more, and `svc serve doctor` says it.
    const columns = await indexedColumns(context);
    const used: string[] = [];
    for (const column of columns) if (await isUsed(context, column)) used.push(column);
    // The room of what is dropped is taken by what comes.
    await context.run(raw("drop index if exists resources_by_id"));
    for (const column of columns) await context.run(raw(`drop index resources_${column}`));
    await moveRecords(
      context,
      columns.filter((column) => !used.includes(column)),
    );
    await moveEntries(context);
    await moveHistories(context);
    await context.run(raw("create index resources_by_id on resources (type_number)"));
    for (const column of used) await makeIndex(context, column);
  },
};

async function indexedColumns(context: MigrationContext): Promise<string[]> {
  const rows = await context.all<{ name: string }>(
    raw("select name from sqlite_master where type = 'index' and tbl_name = 'resources'"),
  );
  const names = new Set(rows.map(({ name }) => name));
  return slotColumns.filter((column) => names.has(`resources_${column}`));
}

function typeOf(column: string): string {
  return numberColumns.includes(column) ? "real" : "text";
}

async function isUsed(context: MigrationContext, column: string): Promise<boolean> {
  const rows = await context.all(
    raw(`select 1 from resources where ${column} is not null limit 1`),
  );
  return rows.length > 0;
}

async function moveRecords(context: MigrationContext, unused: readonly string[]): Promise<void> {
  await context.run(raw("alter table resources rename to resources_before"));
  await context.run(
    raw(`create table resources (
      record_number integer primary key,
      workspace_id text not null,
      type_number integer not null,
      id text not null,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      created_by text not null,
      updated_by text not null,
      data blob not null,
      ${slotColumns.map((name) => `${name} ${typeOf(name)}`).join(", ")}
    )`),
  );
  await context.run(
    raw(`create table resource_numbers (
      id text not null primary key,
      record_number integer not null
    ) without rowid`),
  );
  // An index costs a look at each row: not where none has a value for it.
  for (const column of unused) await makeIndex(context, column);
  // In the order of ids, each with its own number or, where that is taken, with the next one.
  await context.run(
    raw(`insert into resources (record_number, ${recordColumns})
      select record_number, ${recordColumns} from (
        select place_before, place + max(max(1, own) - place)
          over (order by place rows unbounded preceding) as record_number
        from (select rowid as place_before, row_number() over (order by id) as place,
          ${numberOf("id")} as own from resources_before)
      ) cross join resources_before on resources_before.rowid = place_before`),
  );
  await context.run(raw("drop table resources_before"));
  await context.run(
    raw(`insert into resource_numbers (id, record_number)
      select id, record_number from resources where record_number <> ${numberOf("id")}`),
  );
}

/** The entries of what is searched, and no others: those without a record leave their terms. */
async function moveEntries(context: MigrationContext): Promise<void> {
  await context.run(raw("alter table resource_search rename to resource_search_before"));
  await context.run(
    raw(`create table resource_search (
      seq integer primary key,
      type_number integer not null,
      record_number integer not null,
      length integer not null,
      checksum integer not null
    )`),
  );
  await context.run(
    raw(`insert into resource_search (seq, type_number, record_number, length, checksum)
      select seq, entry.type_number, resources.record_number, length, checksum
      from resource_search_before as entry cross join resources
        on resources.record_number = coalesce(
            (select record_number from resource_numbers where id = entry.resource_id),
            ${numberOf("entry.resource_id")})
          and resources.id = entry.resource_id and resources.type_number = entry.type_number`),
  );
  await context.run(
    raw(`delete from resource_terms where rowid in (select seq from resource_search_before
      where seq not in (select seq from resource_search))`),
  );
  await context.run(raw("drop table resource_search_before"));
  await context.run(
    raw(`create unique index resource_search_by_record
      on resource_search (type_number, record_number)`),
  );
}

/** Without the workspace, which the type's number implies. */
async function moveHistories(context: MigrationContext): Promise<void> {
  await context.run(raw("alter table resource_history rename to resource_history_before"));
  await context.run(
    raw(`create table resource_history (
      resource_id text not null,
      version integer not null,
      type_number integer not null,
      operation text not null,
      at text not null,
      actor text not null,
      changes blob,
      primary key (resource_id, version)
    ) without rowid`),
  );
  const columns = "resource_id, version, type_number, operation, at, actor, changes";
  await context.run(
    raw(`insert into resource_history (${columns})
      select ${columns} from resource_history_before order by resource_id, version`),
  );
  await context.run(raw("drop table resource_history_before"));
}

async function makeIndex(context: MigrationContext, column: string): Promise<void> {
  const [words, first] = uniqueColumns.includes(column)
    ? ["unique index", "workspace_id, type_number"]
    : ["index", "type_number"];
  await context.run(
    raw(`create ${words} resources_${column} on resources (${first}, ${column})
      where ${column} is not null`),
  );
}

const digits = (length: number): string => "[0-9a-f]".repeat(length);
const pattern = [digits(8), digits(4), `7${digits(3)}`, `[89ab]${digits(3)}`, digits(12)].join("-");

/**
 * As `uuidNumber`: the milliseconds since 2020 and the 12 bits behind them of a UUIDv7, as one number;
 * zero for any other text.
 */
function numberOf(id: string): string {
  const hexadecimal = `substr(${id}, 1, 8) || substr(${id}, 10, 4) || substr(${id}, 16, 3)`;
  const number = `('0x' || ${hexadecimal}) ->> '$' - 1577836800000 * 4096`;
  return `(case when ${id} glob '${pattern}' and ${number} between 1 and 9007199254740991
    then ${number} else 0 end)`;
}
