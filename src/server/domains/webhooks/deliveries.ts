import type {
  PulledDeliveries,
  PullRequest,
  ReplayReceipt,
  ReplayRequest,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from "#contract/events/webhooks.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { madeAt, ListPages } from "../../kit/lists/pages.ts";
import type { Work } from "../../work/work.ts";
import {
  claimDeliveries,
  countDeliveries,
  deliveriesOf,
  deliveryById,
  endedDeliveries,
  insertDeliveries,
  insertDelivery,
  type DeliveryRecord,
} from "./delivery-store.ts";
import { deliveryDetailsOf, deliveryOf } from "./endpoint-wire.ts";
import type { Messages } from "./message.ts";
import { newDelivery, settleAttempt, unreadable } from "./outcomes.ts";
import { requireEndpoint, temporaryMs } from "./endpoints.ts";
import { endpointById, takePlaces, updateEndpoint, type EndpointRecord } from "./store.ts";

/** Deliveries that one request sends again. */
const replayedAtOnce = 1_000;
const pulledAtOnce = 20;
/** A program that listens pulls more often than this. */
const listenerMs = 15_000;
/** A pulled delivery without an outcome is pulled again after this time. */
const pullLeaseMs = 60_000;

/** The log of the deliveries of an endpoint, and what sends them again. */
export class Deliveries {
  constructor(
    private readonly parts: {
      readonly messages: Messages;
      readonly cursors: ListCursors;
      /** Is called after the commit of new deliveries. */
      readonly onDue: () => void;
      readonly now: () => Date;
    },
  ) {}

  async list(
    work: Work,
    workspaceId: string,
    endpointId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
      readonly status?: string | undefined;
    },
  ): Promise<ListBody<WebhookDelivery>> {
    const { read } = work;
    const endpoint = await found(work, workspaceId, endpointId);
    const list = ["webhook deliveries", workspaceId, endpointId, query.status];
    const pages = new ListPages(this.parts.cursors, list);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const wish = { endpoint, state: query.status };
    return pages.body(start, {
      rows: await deliveriesOf(read, { ...wish, after: madeAt(start.after), limit, offset }),
      itemOf: deliveryOf,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countDeliveries(read, wish) : undefined,
    });
  }

  async get(
    work: Work,
    workspaceId: string,
    endpointId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryDetails> {
    const key = { workspace_id: workspaceId, id: endpointId };
    const row = await deliveryById(work.read, key, deliveryId);
    if (row === undefined) throw new Refusal("not-found");
    return deliveryDetailsOf(row);
  }

  /** Sends a test event, with one attempt. */
  async test(work: Work, workspaceId: string, endpointId: string): Promise<WebhookDelivery> {
    return work.write(async (tx) => {
      const endpoint = await requireEndpoint(tx, workspaceId, endpointId);
      requireActive(endpoint);
      requireListener(endpoint, this.parts.now());
      const about = {
        place: await takePlaces(tx, endpoint, 1),
        origin: "test",
        event_id: `test-${Bun.randomUUIDv7()}`,
        event_type: "svc.webhook.test",
        subject: endpointId,
        event: JSON.stringify({ endpointId }),
      };
      const row = newDelivery(endpoint, about, this.parts.now());
      await insertDelivery(tx, row);
      tx.afterCommit(this.parts.onDue);
      const answer = deliveryOf(row);
      tx.note({ target: { endpointId } });
      tx.remember(answer, { status: 202 });
      return answer;
    });
  }

  /** Sends deliveries again, with the ids of their events. */
  async replay(
    work: Work,
    workspaceId: string,
    endpointId: string,
    request: ReplayRequest,
  ): Promise<ReplayReceipt> {
    return work.write(async (tx) => {
      const endpoint = await requireEndpoint(tx, workspaceId, endpointId);
      requireActive(endpoint);
      const { rows, next } = await this.#wanted(tx, endpoint, request);
      const first = await takePlaces(tx, endpoint, rows.length);
      const again = rows.map(({ event_id, event_type, subject, event }, at) => {
        const about = { origin: "replay", event_id, event_type, subject, event };
        return newDelivery(endpoint, { ...about, place: first + at }, this.parts.now());
      });
      await insertDeliveries(tx, again);
      tx.afterCommit(this.parts.onDue);
      const answer = { replayed: rows.length, complete: next === null, next };
      tx.note({ target: { endpointId }, after: { ...request, replayed: rows.length } });
      tx.remember(answer, { status: 202 });
      return answer;
    });
  }

  /** The due deliveries of a temporary endpoint, whose time begins again. */
  async pull(
    work: Work,
    workspaceId: string,
    endpointId: string,
    { request, signal }: { readonly request: PullRequest; readonly signal: AbortSignal },
  ): Promise<PulledDeliveries> {
    const now = this.parts.now();
    const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    const { endpoint, rows } = await work.write(async (tx) => {
      const row = await requireEndpoint(tx, workspaceId, endpointId);
      if (row.url !== null || row.expires_at === null) {
        throw new Refusal("conflict", {
          detail: "Cannot pull these deliveries: the platform sends them to the endpoint's URL",
        });
      }
      for (const { deliveryId, responseStatus: status, error = null } of request.results) {
        const delivery = await deliveryById(tx, row, deliveryId);
        if (delivery === undefined) continue;
        const attempt = {
          status,
          body: null,
          durationMs: null,
          retryAfterMs: undefined,
          failure: status === null ? ("connection" as const) : null,
          error: error ?? (status === null ? "There was no answer" : null),
        };
        await settleAttempt(tx, { delivery, attempt }, { now, random: 0 });
      }
      await updateEndpoint(tx, row, { expires_at: after(temporaryMs) });
      const claim = { now: now.toISOString(), until: after(pullLeaseMs), limit: pulledAtOnce };
      return { endpoint: row, rows: await claimDeliveries(tx, row, claim) };
    });
    const items: PulledDeliveries["items"] = [];
    for (const row of rows) {
      const message = await this.parts.messages.of(work, endpoint, row, signal);
      if (message === undefined) {
        const settled = { delivery: row, attempt: unreadable };
        await work.write((tx) => settleAttempt(tx, settled, { now, random: 0 }));
        continue;
      }
      items.push({ deliveryId: row.id, type: row.event_type, subject: row.subject, ...message });
    }
    return { items };
  }

  async #wanted(
    tx: Parameters<typeof requireEndpoint>[0],
    endpoint: EndpointRecord,
    { deliveryId, from, to, failed }: ReplayRequest,
  ): Promise<{ readonly rows: DeliveryRecord[]; readonly next: string | null }> {
    if (deliveryId !== undefined) {
      const row = await deliveryById(tx, endpoint, deliveryId);
      if (row === undefined) throw new Refusal("not-found");
      if (row.state === "pending") {
        throw new Refusal("conflict", { detail: "Cannot replay a delivery that is still pending" });
      }
      return { rows: [row], next: null };
    }
    const range = {
      ...startOf(from),
      to: to === undefined ? "~" : new Date(to).toISOString(),
      isFailed: failed === true,
    };
    const found = await endedDeliveries(tx, endpoint, range, replayedAtOnce + 1);
    const next = found[replayedAtOnce];
    return { rows: found.slice(0, replayedAtOnce), next: next === undefined ? null : timeOf(next) };
  }
}

/** Digits of a time below a millisecond, which have the place of a delivery that was made in it. */
const placeDigits = 12;

/** The time of a delivery; it comes after the deliveries of the same millisecond before it. */
function timeOf({ created_at: at, place }: DeliveryRecord): string {
  return at.replace("Z", `${String(place).padStart(placeDigits, "0")}Z`);
}

/** The beginning of a range of time: a millisecond, and the first place in it. */
function startOf(from: string | undefined): { readonly from: string; readonly place: number } {
  if (from === undefined) return { from: "", place: 0 };
  const [whole = "", digits = ""] = /\.\d{3}(\d+)/.exec(from) ?? [];
  const time = from.replace(whole, whole.slice(0, 4));
  const place = Number(digits.slice(0, placeDigits).padEnd(placeDigits, "0"));
  return { from: new Date(time).toISOString(), place };
}

async function found(work: Work, workspaceId: string, id: string): Promise<EndpointRecord> {
  const row = await endpointById(work.read, workspaceId, id);
  if (row === undefined) throw new Refusal("not-found");
  return row;
}

/** A test of a temporary endpoint ends only if a program takes its deliveries. */
function requireListener({ url, expires_at: expiresAt }: EndpointRecord, now: Date): void {
  if (url !== null || expiresAt === null) return;
  const pulledMs = Date.parse(expiresAt) - temporaryMs;
  if (now.getTime() - pulledMs <= listenerMs) return;
  throw new Refusal("conflict", {
    detail:
      "Cannot test this temporary endpoint: no program takes its deliveries. Run `svc webhook listen`, then test again",
  });
}

function requireActive({ state }: EndpointRecord): void {
  if (state === "active") return;
  throw new Refusal("conflict", {
    detail: "Cannot send to a disabled endpoint. Enable it first",
  });
}
