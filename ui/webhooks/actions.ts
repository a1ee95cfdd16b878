import type { Client } from "#client/index.ts";
import type { WebhookDelivery, WebhookEndpoint } from "#contract/events/webhooks.ts";
import type { ReceivedCall, WebhookSource } from "#contract/events/webhook-sources.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { Action } from "../kit/places/action.ts";
import { deliveryAnswer, endpointName, sourceName } from "./words.ts";

const isDisabled = ({ status }: { readonly status?: string | undefined }) => status === "disabled";

export const endpointToggle: Action<WebhookEndpoint> = {
  question: {
    title: (endpoint) => `${isDisabled(endpoint) ? "Enable" : "Disable"} ${endpointName(endpoint)}`,
    effects: (endpoint) => [
      isDisabled(endpoint)
        ? "its events are sent again, from the one at which it stopped"
        : "nothing is sent; it keeps its place among the events",
    ],
    command: (endpoint) =>
      isDisabled(endpoint)
        ? [["webhook", "enable", endpoint.id]]
        : [["webhook", "update", endpoint.id], { disable: true }],
  },
  run: (client, endpoint, tenantId) => {
    const params = { endpointId: endpoint.id };
    return isDisabled(endpoint)
      ? client.webhooks.enable({ tenantId, params })
      : client.webhooks.update({ tenantId, params, body: { enabled: false } });
  },
  done: (endpoint) => `${isDisabled(endpoint) ? "enabled" : "disabled"} ${endpointName(endpoint)}`,
};

export const endpointRemoval: Action<WebhookEndpoint> = {
  question: {
    title: (endpoint) => `Delete ${endpointName(endpoint)}`,
    effects: () => ["the endpoint, its secret and the log of its deliveries", "this has no undo"],
    command: ({ id }) => [["webhook", "delete", id], { force: true }],
  },
  removes: true,
  run: (client, { id: endpointId }, tenantId) =>
    client.webhooks.remove({ tenantId, params: { endpointId } }),
  done: (endpoint) => `deleted ${endpointName(endpoint)}`,
};

export interface Rotated<Thing> {
  readonly of: Thing;
  readonly graceDays: number;
}

function graceWords(graceDays: number): string {
  return graceDays === 0
    ? "the former secret ends at once"
    : `the former secret works too for ${counted(graceDays, "day")}`;
}

export const endpointRotation: Action<
  Rotated<WebhookEndpoint>,
  Awaited<ReturnType<Client["webhooks"]["rotate"]>>
> = {
  question: {
    title: ({ of }) => `Rotate the secret of ${endpointName(of)}`,
    effects: ({ graceDays }) => ["a new secret and a new public key", graceWords(graceDays)],
    command: ({ of, graceDays }) => [["webhook", "rotate", of.id], { "grace-days": graceDays }],
  },
  run: (client, { of, graceDays }, tenantId) =>
    client.webhooks.rotate({ tenantId, params: { endpointId: of.id }, body: { graceDays } }),
  done: ({ of }) => `rotated the secret of ${endpointName(of)}`,
};

const outcomeMs = 5_000;
const lookMs = 250;

/** Sends a test event, and waits up to 5 s for its outcome. */
export const endpointTest: Action<WebhookEndpoint, WebhookDelivery> = {
  run: async (client, { id: endpointId }, tenantId) => {
    let delivery = await client.webhooks.test({ tenantId, params: { endpointId } });
    const params = { endpointId, deliveryId: delivery.id };
    for (let ms = 0; delivery.status === "pending" && ms < outcomeMs; ms += lookMs) {
      await sleep(lookMs);
      delivery = await client.webhooks.delivery({ tenantId, params });
    }
    return delivery;
  },
  done: (endpoint, delivery) => {
    const { status = "", durationMs } = delivery;
    if (status === "pending") return "the test event is on its way; its delivery has the outcome";
    const took = typeof durationMs === "number" ? ` after ${durationMs} ms` : "";
    const words = `test of ${endpointName(endpoint)}: ${status}, ${deliveryAnswer(delivery)}${took}`;
    return status === "delivered" ? words : { failed: words };
  },
};

/** An endpoint as the screen of its deliveries knows it. */
export interface NamedEndpoint {
  readonly id: string;
  readonly name: string;
}

interface Replayed {
  readonly replayed: number;
  readonly next?: string | null | undefined;
}

export const failedReplay: Action<NamedEndpoint, Replayed> = {
  question: {
    title: ({ name }) => `Send all failed deliveries to ${name} again`,
    effects: () => ["each has the id of its event, so that the receiver recognises it"],
    command: ({ id }) => [["webhook", "replay", id], { failed: true }],
  },
  run: (client, { id: endpointId }, tenantId) =>
    replayFailed((from) => {
      const body = given({ failed: true, from });
      return client.webhooks.replay({ tenantId, params: { endpointId }, body });
    }),
  done: ({ id }, { replayed, next }) => {
    const more = `; more follow: svc webhook replay ${id} --failed --from ${next ?? ""}`;
    return `sending ${counted(replayed, "event")} again${next ? more : ""}`;
  },
};

/** Requests of one action: each of them sends at most 1,000 deliveries again. */
const replaysAtMost = 20;

/** Goes on where the answer before ends, as a repeated request would send the same ones again. */
async function replayFailed(
  send: (from: string | undefined) => Promise<Replayed>,
): Promise<Replayed> {
  let replayed = 0;
  let next: string | null | undefined;
  for (let at = 0; at < replaysAtMost && next !== null; at += 1) {
    const answer = await send(next);
    replayed += answer.replayed;
    next = answer.next ?? null;
  }
  return { replayed, next };
}

export function replayDelivery(client: Client, endpointId: string, tenantId: string | undefined) {
  return ({ id: deliveryId }: WebhookDelivery) =>
    client.webhooks.replay({ tenantId, params: { endpointId }, body: { deliveryId } });
}

export const sourceToggle: Action<WebhookSource> = {
  question: {
    title: (source) => `${isDisabled(source) ? "Enable" : "Disable"} ${sourceName(source)}`,
    effects: (source) => [
      isDisabled(source)
        ? "its calls are received again, and you answer for them"
        : "its calls are refused, as those of an unknown source",
    ],
    command: (source) => [
      ["webhook", "source", "update", source.source],
      isDisabled(source) ? { enabled: true } : { "no-enabled": true },
    ],
  },
  run: (client, row, tenantId) =>
    client.webhookSources.update({
      tenantId,
      params: { source: row.source },
      body: { enabled: isDisabled(row) },
    }),
  done: (source) => `${isDisabled(source) ? "enabled" : "disabled"} ${sourceName(source)}`,
};

export const sourceRemoval: Action<WebhookSource> = {
  question: {
    title: (source) => `Delete ${sourceName(source)}`,
    effects: () => ["the source, its secret and the calls that it has received"],
    command: ({ source }) => [["webhook", "source", "delete", source], { force: true }],
    typed: sourceName,
  },
  removes: true,
  run: (client, { source }, tenantId) =>
    client.webhookSources.remove({ tenantId, params: { source } }),
  done: (source) => `deleted ${sourceName(source)}`,
};

export const sourceRotation: Action<
  Rotated<WebhookSource>,
  Awaited<ReturnType<Client["webhookSources"]["rotate"]>>
> = {
  question: {
    title: ({ of }) => `Rotate the secret of ${sourceName(of)}`,
    effects: ({ graceDays }) => ["a new secret, which the sender needs", graceWords(graceDays)],
    command: ({ of, graceDays }) => [
      ["webhook", "source", "rotate", of.source],
      { "grace-days": graceDays },
    ],
  },
  run: (client, { of, graceDays }, tenantId) =>
    client.webhookSources.rotate({ tenantId, params: { source: of.source }, body: { graceDays } }),
  done: ({ of }) => `rotated the secret of ${sourceName(of)}`,
};

export function replayCall(client: Client, source: string, tenantId: string | undefined) {
  return ({ id: receivedId }: ReceivedCall) =>
    client.webhookSources.replay({ tenantId, params: { source, receivedId } });
}
