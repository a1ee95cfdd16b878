import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf, skipLocked } from "../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import {
  assignments,
  byDialect,
  insertInto,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../database/statement.ts";
import type { LaneName } from "./lanes/room.ts";
import type { EndpointKey, EndpointRecord } from "./store.ts";

/** An event on its way to an endpoint, or the outcome. */
export interface DeliveryRecord {
  readonly workspace_id: string;
  readonly endpoint_id: string;
  readonly id: string;
  /** The order of the endpoint's deliveries. */
  readonly place: number;
  /** The value is `event`, `replay`, `test` or `reset`. */
  readonly origin: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly subject: string | null;
  /** The event as JSON, without values of records. */
  readonly event: string;
  /** The value is `pending`, `delivered` or `failed`. */
  readonly state: string;
  readonly attempts: number;
  readonly next_at: string | null;
  /** Until then one platform sends it. */
  readonly lease_until: string | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  /** The attempts and the answers to them, each with its number on a line of JSON. */
  readonly attempt_log: string | null;
  readonly attempt_answers: string | null;
  readonly last_attempt_at: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
}

export type DeliveryKey = Pick<DeliveryRecord, "workspace_id" | "endpoint_id" | "id">;

const isOf = ({ workspace_id: workspaceId, id }: EndpointKey) =>
  statement`workspace_id = ${workspaceId} and endpoint_id = ${id}`;

export async function insertDelivery(writer: Writer, row: DeliveryRecord): Promise<void> {
  await writer.run(insertInto("webhook_deliveries", row));
}

/** Adds new deliveries of one endpoint, which share all but their places and events. */
export async function insertDeliveries(
  writer: Writer,
  rows: readonly DeliveryRecord[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  if (rows.length === 1) return insertDelivery(writer, first);
  const { workspace_id: workspaceId, endpoint_id: endpointId, created_at: at, state } = first;
  const list = JSON.stringify(
    rows.map(({ id, place, origin, event_id, event_type, subject, event }) => {
      return { id, place, origin, event_id, event_type, subject, event };
    }),
  );
  const given = byDialect({
    sqlite: statement`(select value ->> 'id' as id, value ->> 'place' as place,
        value ->> 'origin' as origin, value ->> 'event_id' as event_id,
        value ->> 'event_type' as event_type, value ->> 'subject' as subject,
        value ->> 'event' as event
      from json_each(${list}))`,
    postgresql: statement`jsonb_to_recordset(${list}::text::jsonb)
      as row(id text, place bigint, origin text, event_id text, event_type text, subject text,
        event text)`,
  });
  await writer.run(statement`insert into webhook_deliveries (workspace_id, endpoint_id, id, place,
      origin, event_id, event_type, subject, event, state, attempts, next_at, created_at)
    select ${workspaceId}, ${endpointId}, id, place, origin, event_id, event_type, subject, event,
      ${state}, 0, ${at}, ${at} from ${given}`);
}

export async function deliveryById(
  reader: Reader,
  endpoint: EndpointKey,
  id: string,
): Promise<DeliveryRecord | undefined> {
  return reader.first<DeliveryRecord>(statement`select * from webhook_deliveries
    where ${isOf(endpoint)} and id = ${id}`);
}

interface DeliveryWish {
  readonly endpoint: EndpointKey;
  readonly state?: string | undefined;
}

const wished = ({ endpoint, state }: DeliveryWish) =>
  statement`from webhook_deliveries where ${isOf(endpoint)}
    ${state === undefined ? nothing : statement`and state = ${state}`}`;

export async function deliveriesOf(
  reader: Reader,
  page: NewestPage & DeliveryWish,
): Promise<DeliveryRecord[]> {
  return reader.all<DeliveryRecord>(statement`select * ${wished(page)} ${newestFirst(page)}`);
}

export async function countDeliveries(reader: Reader, wish: DeliveryWish): Promise<number> {
  return countRows(reader, wished(wish));
}

/** True if an endpoint has this many pending deliveries or more. */
export async function hasPending(
  reader: Reader,
  endpoint: EndpointKey,
  limit: number,
): Promise<boolean> {
  const rows = await reader.first(statement`select 1 as found from webhook_deliveries
    where ${isOf(endpoint)} and state = 'pending' limit 1 offset ${limit - 1}`);
  return rows !== undefined;
}

/** Both times are of the same form, so that texts compare as times do. */
const lastAttempt = byDialect({
  sqlite: raw("max(coalesce(last_delivered_at, ''), coalesce(last_failed_at, ''))"),
  postgresql: raw("greatest(coalesce(last_delivered_at, ''), coalesce(last_failed_at, ''))"),
});

/**
 * The active endpoints with due deliveries; those whose last attempt is oldest come first. The
 * lane of sound ones needs none that has failed last.
 */
export async function dueEndpoints(
  reader: Reader,
  now: string,
  { lane, limit }: { readonly lane: LaneName; readonly limit: number },
): Promise<EndpointRecord[]> {
  const ofLane = lane === "sound" ? raw("and webhook_endpoints.failures = 0") : nothing;
  return reader.all<EndpointRecord>(statement`select webhook_endpoints.* from webhook_endpoints
      join workspaces on workspaces.id = webhook_endpoints.workspace_id
    where webhook_endpoints.state = 'active' and webhook_endpoints.url is not null
      ${ofLane} and workspaces.deleted_at is null
      and exists (select 1 from webhook_deliveries
        where webhook_deliveries.workspace_id = webhook_endpoints.workspace_id
          and webhook_deliveries.endpoint_id = webhook_endpoints.id
          and webhook_deliveries.state = 'pending' and webhook_deliveries.next_at <= ${now}
          and (webhook_deliveries.lease_until is null or webhook_deliveries.lease_until < ${now}))
    order by ${lastAttempt} limit ${limit}`);
}

/**
 * Takes due deliveries, each for one platform until its lease ends. In an ordered endpoint an
 * earlier delivery of the same subject that is pending comes first.
 */
export async function claimDeliveries(
  writer: Writer,
  endpoint: EndpointRecord,
  claim: { readonly now: string; readonly until: string; readonly limit: number },
): Promise<DeliveryRecord[]> {
  const isFirst =
    endpoint.is_ordered === 0
      ? nothing
      : statement`and not exists (select 1 from webhook_deliveries as earlier
          where earlier.workspace_id = webhook_deliveries.workspace_id
            and earlier.endpoint_id = webhook_deliveries.endpoint_id
            and earlier.state = 'pending' and earlier.subject = webhook_deliveries.subject
            and earlier.place < webhook_deliveries.place)`;
  const rows = await writer.all<DeliveryRecord>(statement`with due as materialized (
      select id from webhook_deliveries
      where ${isOf(endpoint)} and state = 'pending' and next_at <= ${claim.now}
        and (lease_until is null or lease_until < ${claim.now}) ${isFirst}
      order by place limit ${claim.limit} ${skipLocked}
    )
    update webhook_deliveries set lease_until = ${claim.until}
    where ${isOf(endpoint)} and id in (select id from due) returning *`);
  return rows.toSorted((one, other) => Number(one.place) - Number(other.place));
}

/** Ends an attempt of a delivery, which it logs; false if another one has ended it. */
export async function updateDelivery(
  writer: Writer,
  row: DeliveryRecord,
  {
    changes,
    logged,
  }: {
    readonly changes: Partial<Omit<DeliveryRecord, keyof DeliveryKey>>;
    readonly logged: Statement;
  },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update webhook_deliveries
    set ${assignments(changes)}, ${logged}
    where workspace_id = ${row.workspace_id} and endpoint_id = ${row.endpoint_id}
      and id = ${row.id} and state = 'pending' and attempts = ${row.attempts}`);
  return changedRows === 1;
}

/** Ended deliveries that were made in a range of time, in their order; never replays of them. */
export async function endedDeliveries(
  reader: Reader,
  endpoint: EndpointKey,
  range: {
    readonly from: string;
    /** The first place of those made at `from`. */
    readonly place: number;
    readonly to: string;
    readonly isFailed: boolean;
  },
  limit: number,
): Promise<DeliveryRecord[]> {
  const ended = range.isFailed ? raw("state = 'failed'") : raw("state <> 'pending'");
  return reader.all<DeliveryRecord>(statement`select * from webhook_deliveries
    where ${isOf(endpoint)} and ${ended} and origin in ('event', 'reset')
      and created_at >= ${range.from} and created_at < ${range.to}
      and (created_at > ${range.from} or place >= ${range.place})
    order by created_at, place limit ${limit}`);
}

/** Removes what the answers of endpoints may quote of erased records and documents. */
export async function forgetAnswers(
  writer: Writer,
  workspaceId: string,
  subjects: readonly string[],
): Promise<void> {
  await writer.run(statement`update webhook_deliveries
    set response_body = null, attempt_answers = null
    where workspace_id = ${workspaceId} and attempts > 0
      and ${isOneOf(raw("subject"), subjects)}`);
}

export async function removeExpiredDeliveries(
  writer: Writer,
  now: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`with expired as materialized (
      select workspace_id, endpoint_id, id from webhook_deliveries where expires_at < ${now}
      order by expires_at limit ${limit} ${skipLocked}
    )
    delete from webhook_deliveries where (workspace_id, endpoint_id, id) in (
      select workspace_id, endpoint_id, id from expired)`);
  return changedRows;
}
