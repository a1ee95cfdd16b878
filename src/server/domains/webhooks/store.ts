import type { Reader, Writer } from "../../database/database.ts";
import { forUpdate, isOneOf } from "../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { assignments, insertInto, nothing, raw, statement } from "../../database/statement.ts";

/** An endpoint. Its secrets and private keys are sealed. */
export interface EndpointRecord {
  readonly workspace_id: string;
  readonly id: string;
  /** Null for a temporary endpoint, whose deliveries are pulled. */
  readonly url: string | null;
  readonly description: string;
  /** A JSON array; null for all kinds. */
  readonly kinds: string | null;
  /** A JSON array; null for all types. */
  readonly types: string | null;
  /** A JSON object; null for all records. */
  readonly where_filter: string | null;
  /** A JSON array of alert rules; null for an endpoint that is not for their alerts alone. */
  readonly rules: string | null;
  /** The value is `thin` or `full`. */
  readonly body: string;
  readonly role: string;
  readonly is_ordered: number;
  /** The value is `active` or `disabled`. */
  readonly state: string;
  readonly disabled_reason: string | null;
  readonly secret: string;
  readonly signing_key: string;
  readonly public_key: string;
  readonly former_secret: string | null;
  readonly former_signing_key: string | null;
  readonly former_until: string | null;
  /** A JSON array of the pairs before the former one, sealed; null without one. */
  readonly earlier_pairs: string | null;
  /** The position in the feed up to which deliveries were made. */
  readonly position: string;
  /** The place of the next delivery. */
  readonly next_place: number;
  readonly failures: number;
  readonly last_delivered_at: string | null;
  readonly last_failed_at: string | null;
  /** Until then one platform makes its deliveries from the feed. */
  readonly lease_until: string | null;
  readonly expires_at: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type EndpointKey = Pick<EndpointRecord, "workspace_id" | "id">;

export async function insertEndpoint(writer: Writer, row: EndpointRecord): Promise<void> {
  await writer.run(insertInto("webhook_endpoints", row));
}

export async function endpointById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<EndpointRecord | undefined> {
  return reader.first<EndpointRecord>(statement`select * from webhook_endpoints
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The endpoint, locked until the end of the transaction. */
export async function lockEndpoint(
  writer: Writer,
  workspaceId: string,
  id: string,
): Promise<EndpointRecord | undefined> {
  return writer.first<EndpointRecord>(statement`select * from webhook_endpoints
    where workspace_id = ${workspaceId} and id = ${id} ${forUpdate}`);
}

interface EndpointWish {
  readonly workspaceId: string;
  readonly createdBy?: string | undefined;
}

const wished = ({ workspaceId, createdBy }: EndpointWish) =>
  statement`from webhook_endpoints where workspace_id = ${workspaceId}
    ${createdBy === undefined ? nothing : statement`and created_by = ${createdBy}`}`;

export async function endpointsOf(
  reader: Reader,
  page: NewestPage & EndpointWish,
): Promise<EndpointRecord[]> {
  return reader.all<EndpointRecord>(statement`select * ${wished(page)} ${newestFirst(page)}`);
}

export async function countEndpoints(reader: Reader, wish: EndpointWish): Promise<number> {
  return countRows(reader, wished(wish));
}

/** The active endpoints that a member made. */
export async function activeEndpointsOf(
  reader: Reader,
  workspaceId: string,
  createdBy: string,
): Promise<EndpointRecord[]> {
  return reader.all<EndpointRecord>(statement`select * from webhook_endpoints
    where workspace_id = ${workspaceId} and created_by = ${createdBy} and state = 'active'
    order by created_at, id`);
}

/** The active endpoints of workspaces that are not deleted: of these ones, or of all. */
export async function activeEndpoints(
  reader: Reader,
  workspaceIds: readonly string[] | undefined,
  { after, limit }: { readonly after: EndpointKey | undefined; readonly limit: number },
): Promise<EndpointRecord[]> {
  const { workspace_id: workspaceId, id } = after ?? { workspace_id: "", id: "" };
  const named =
    workspaceIds === undefined
      ? nothing
      : statement`and ${isOneOf(raw("webhook_endpoints.workspace_id"), workspaceIds)}`;
  return reader.all<EndpointRecord>(statement`select webhook_endpoints.* from webhook_endpoints
      join workspaces on workspaces.id = webhook_endpoints.workspace_id
    where webhook_endpoints.state = 'active' and workspaces.deleted_at is null ${named}
      and (webhook_endpoints.workspace_id, webhook_endpoints.id) > (${workspaceId}, ${id})
    order by webhook_endpoints.workspace_id, webhook_endpoints.id limit ${limit}`);
}

export async function updateEndpoint(
  writer: Writer,
  key: EndpointKey,
  changes: Partial<Omit<EndpointRecord, keyof EndpointKey>>,
): Promise<void> {
  await writer.run(statement`update webhook_endpoints set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
}

export async function deleteEndpoint(writer: Writer, key: EndpointKey): Promise<void> {
  await writer.run(statement`delete from webhook_deliveries
    where workspace_id = ${key.workspace_id} and endpoint_id = ${key.id}`);
  await writer.run(statement`delete from webhook_endpoints
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
}

/** Takes the endpoint's lease and returns the endpoint; undefined while another platform has it. */
export async function leaseEndpoint(
  writer: Writer,
  key: EndpointKey,
  { now, until }: { readonly now: string; readonly until: string },
): Promise<EndpointRecord | undefined> {
  return writer.first<EndpointRecord>(statement`update webhook_endpoints
    set lease_until = ${until}
    where workspace_id = ${key.workspace_id} and id = ${key.id} and state = 'active'
      and (lease_until is null or lease_until < ${now}) returning *`);
}

/** Gives the lease that ends at this time back. */
export async function releaseEndpoint(
  writer: Writer,
  key: EndpointKey,
  until: string,
): Promise<void> {
  await writer.run(statement`update webhook_endpoints set lease_until = null
    where workspace_id = ${key.workspace_id} and id = ${key.id} and lease_until = ${until}`);
}

/** Ends all leases, for a process that has the database alone. */
export async function releaseAll(writer: Writer): Promise<void> {
  await writer.run(raw("update webhook_endpoints set lease_until = null"));
  await writer.run(raw("update webhook_deliveries set lease_until = null where state = 'pending'"));
}

/**
 * Moves the endpoint on, and may end its lease; returns its first place, or undefined if its
 * position has changed.
 */
export async function advanceEndpoint(
  writer: Writer,
  { workspace_id: workspaceId, id, position }: EndpointRecord,
  {
    to,
    places,
    isReleased,
  }: { readonly to: string; readonly places: number; readonly isReleased: boolean },
): Promise<number | undefined> {
  const row = await writer.first<{ next: number }>(statement`update webhook_endpoints
    set position = ${to}, next_place = next_place + ${places},
      lease_until = ${isReleased ? raw("null") : raw("lease_until")}
    where workspace_id = ${workspaceId} and id = ${id} and position = ${position}
    returning next_place as next`);
  return row === undefined ? undefined : Number(row.next) - places;
}

/** Takes places for further deliveries; returns the first one. */
export async function takePlaces(
  writer: Writer,
  key: EndpointKey,
  places: number,
): Promise<number> {
  const row = await writer.first<{ next: number }>(statement`update webhook_endpoints
    set next_place = next_place + ${places}
    where workspace_id = ${key.workspace_id} and id = ${key.id} returning next_place as next`);
  return Number(row?.next ?? places) - places;
}

export async function expiredEndpoints(
  reader: Reader,
  now: string,
  limit: number,
): Promise<EndpointKey[]> {
  return reader.all<EndpointKey>(statement`select workspace_id, id from webhook_endpoints
    where expires_at < ${now} order by expires_at limit ${limit}`);
}

/** Notes an accepted attempt; true if the one before it had failed. */
export async function noteDelivered(
  writer: Writer,
  key: EndpointKey,
  at: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update webhook_endpoints
    set last_delivered_at = ${at}
    where workspace_id = ${key.workspace_id} and id = ${key.id} and failures = 0`);
  if (changedRows === 1) return false;
  const cleared = await writer.run(statement`update webhook_endpoints
    set failures = 0, last_delivered_at = ${at}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
  return cleared.changedRows === 1;
}

/** Counts a failed attempt; returns how many have failed in a row. */
export async function noteFailed(writer: Writer, key: EndpointKey, at: string): Promise<number> {
  const row = await writer.first<{ failures: number }>(statement`update webhook_endpoints
    set failures = failures + 1, last_failed_at = ${at}
    where workspace_id = ${key.workspace_id} and id = ${key.id} returning failures`);
  return Number(row?.failures ?? 0);
}
