import type { MergeableUnit, Writer } from "../../database/database.ts";
import { databaseTimeMs } from "../../database/dialect.ts";
import { raw, statement, type Statement } from "../../database/statement.ts";

/** The report and the request of a platform about the count of a window. */
export interface Lease {
  readonly name: string;
  /** Requests to add to the count; negative to give back what was leased. */
  readonly used: number;
  /** Requests that wait, which are granted as long as the limit allows. */
  readonly needed: number;
  /** Requests that may come next, of which at most a quarter of the rest is granted. */
  readonly wanted: number;
  readonly upper: number;
  /** The remaining time of a window that begins. */
  readonly leftMs: number;
  result?: Leased;
}

export interface Leased {
  readonly granted: number;
  /** The count, with what all platforms have leased. */
  readonly taken: number;
  readonly leftMs: number;
}

/** Leases of different names in one statement, which is its own transaction. PostgreSQL only. */
export function leaseUnits(now: () => Date): MergeableUnit<Lease> {
  const all = async (writer: Writer, leases: readonly Lease[]): Promise<boolean[]> => {
    const rows = await leaseAll(writer, leases, now());
    return leases.map((lease) => {
      lease.result = rows.get(lease.name) ?? { granted: 0, taken: lease.upper, leftMs: 0 };
      return true;
    });
  };
  return {
    isMergeable: () => true,
    weight: () => 200,
    one: async (writer, lease) => void (await all(writer, [lease])),
    all,
    isOneStatement: () => true,
  };
}

interface LeasedRow {
  readonly name: string;
  readonly granted: number;
  readonly taken: number;
  readonly left_ms: number;
}

async function leaseAll(
  writer: Writer,
  leases: readonly Lease[],
  now: Date,
): Promise<Map<string, Leased>> {
  const time = databaseTimeMs(now);
  const given = JSON.stringify(leases.map(({ result: _result, ...lease }) => lease));
  const isOver = statement`kept.ends_at <= ${time}`;
  const before = statement`(case when ${isOver} then 0 else kept.taken end)`;
  // Platforms that lease the same names take their rows in the same order.
  const rows = await writer.all<LeasedRow>(statement`insert into shared_counts as kept
      (name, ends_at, taken, used, needed, wanted, upper, granted)
    select name, ${time} + "leftMs", greatest(0, used) + ${grantAfter(raw("0"), raw("given"))},
      used, needed, wanted, upper, ${grantAfter(raw("0"), raw("given"))}
    from jsonb_to_recordset(${given}::text::jsonb) as given(name text, used bigint, needed bigint,
      wanted bigint, upper bigint, "leftMs" bigint)
    order by name
    on conflict (name) do update set
      ends_at = case when ${isOver} then excluded.ends_at else kept.ends_at end,
      taken = greatest(0, ${before} + excluded.used) + ${grantAfter(before, raw("excluded"))},
      used = excluded.used, needed = excluded.needed, wanted = excluded.wanted,
      upper = excluded.upper, granted = ${grantAfter(before, raw("excluded"))}
    returning name, granted, taken, ends_at - ${time} as left_ms`);
  return new Map(
    rows.map(({ name, granted, taken, left_ms }) => [
      name,
      { granted: Number(granted), taken: Number(taken), leftMs: Number(left_ms) },
    ]),
  );
}

/** The requests that a lease is granted after a count of `before`. */
function grantAfter(before: Statement, ask: Statement): Statement {
  const room = statement`(${ask}.upper - ${before} - ${ask}.used)`;
  return statement`greatest(0, least(${room},
    greatest(${ask}.needed, least(${ask}.wanted, ${room} / 4))))`;
}

/** Deletes at most `limit` windows that have ended. */
export async function deleteEndedCounts(writer: Writer, now: Date, limit: number): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from shared_counts
    where name in (select name from shared_counts
      where ends_at <= ${databaseTimeMs(now)} limit ${limit})`);
  return changedRows;
}
