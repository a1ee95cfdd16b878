import { catalogError } from "#contract/errors.ts";
import { readOnlyMark } from "../../kit/storage-errors.ts";
import { sqlState } from "../../database/postgresql/driver-errors.ts";
import type { Dialect, Reader } from "../../database/database.ts";
import { raw, type Statement } from "../../database/statement.ts";
import {
  forgetSource,
  noteSource,
  sourceMark,
  targetState,
  type SourceMark,
} from "./move-state.ts";
import type { Side } from "./side.ts";
import type { MovedTable } from "./tables.ts";

/** Tries to get the locks of all tables, against writers that wait for each other. */
const attempts = 20;
/** A lock that took too long, and a deadlock. */
const lockStates = new Set(["55P03", "40P01"]);

/**
 * Makes the moved tables of a database read-only for all processes: each write is refused by a
 * trigger from the commit on. A write that began before is committed, or is refused.
 */
export async function closeSource(
  side: Side,
  tables: readonly MovedTable[],
  mark: SourceMark,
): Promise<void> {
  const closing = [...refusingTriggers(side, tables), noteSource(mark)];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await side.transaction(closing);
    } catch (error) {
      if (attempt === attempts || !lockStates.has(sqlState(error) ?? "")) throw error;
      await Bun.sleep(attempt * 50);
    }
  }
}

/** Lets a database accept writes again. */
export async function openSource(side: Side): Promise<void> {
  const found = await side.reader.all<{ drop: string }>(raw(refusals[side.dialect]));
  await side.transaction([...found.map(({ drop }) => raw(drop)), forgetSource]);
}

/** The statements that remove the triggers. */
const refusals: Readonly<Record<Dialect, string>> = {
  sqlite: `select 'drop trigger ' || name as "drop" from sqlite_master
    where type = 'trigger' and name like 'svc\\_moved\\_%' escape '\\'`,
  postgresql: `select format('drop trigger %I on %I', tgname, relname) as "drop"
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgname = 'svc_moved' and relnamespace = current_schema()::regnamespace
    union all select 'drop function if exists svc_moved()'`,
};

const operations = ["insert", "update", "delete"];

function refusingTriggers({ dialect }: Side, tables: readonly MovedTable[]): Statement[] {
  if (dialect === "sqlite") {
    return tables.flatMap(({ name }) =>
      operations.map((operation) =>
        raw(`create trigger if not exists svc_moved_${operation}_${name} before ${operation}
          on ${name} begin select raise(abort, '${readOnlyMark}'); end`),
      ),
    );
  }
  const names = tables.map(({ name }) => name).join(", ");
  return [
    // A writer that has locked one of them and waits for another one gets it first.
    raw("set local lock_timeout = '2s'"),
    raw(`lock table ${names} in share row exclusive mode`),
    raw(`create or replace function svc_moved() returns trigger language plpgsql as $$
      begin raise exception using errcode = '25006', message = '${readOnlyMark}'; end $$`),
    ...tables.flatMap(({ name }) => [
      raw(`drop trigger if exists svc_moved on ${name}`),
      raw(`create trigger svc_moved before insert or update or delete on ${name}
        for each statement execute function svc_moved()`),
    ]),
  ];
}

/**
 * Refuses the start of a platform on data that have moved to another database, and on an incomplete
 * target of a move. Throws E006.
 */
export async function refuseMoved(reader: Reader, dataDirectory: string): Promise<void> {
  const mark = await sourceMark(reader);
  if (mark !== undefined) {
    throw catalogError(
      "E006",
      { details: `the data of ${dataDirectory} are read-only: they move to ${mark.place}` },
      {
        hint:
          "Start the platform on the target of the move, or let this database accept writes " +
          "again with `svc serve move --reopen`",
      },
    );
  }
  const target = await targetState(reader);
  if (target?.state !== "copying") return;
  throw catalogError(
    "E006",
    { details: `the data of ${dataDirectory} are incomplete: a move to them has not ended` },
    { hint: "Run the same `svc serve move` again: it continues" },
  );
}
