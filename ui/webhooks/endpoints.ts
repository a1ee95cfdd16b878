import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { lineDetail } from "../kit/places/line-detail.tsx";
import { listPlace } from "../kit/places/list-place.tsx";
import { endpointRemoval, endpointTest, endpointToggle } from "./actions.ts";
import { webhookKeys, type WebhookFacts, type WebhookKeys } from "./keys.ts";
import { useEndpointHandlers } from "./use-endpoint-handlers.ts";
import {
  ageOf,
  endpointEvents,
  endpointLines,
  endpointName,
  endpointState,
  isTemporary,
  roleName,
} from "./words.ts";

const keyOf = ({ id }: WebhookEndpoint) => id;
const isWell = (endpoint: WebhookEndpoint) => endpointState(endpoint) === "active";

function useEndpointState(row: WebhookEndpoint | undefined): { readonly facts: WebhookFacts } {
  return { facts: { isPulled: row !== undefined && isTemporary(row) } };
}

/** The webhook endpoints of the workspace with their health, for its admins. */
export const Endpoints = listPlace<WebhookEndpoint, WebhookKeys>({
  name: "webhooks",
  title: "Webhook endpoints",
  loading: "Loading the webhook endpoints",
  list: {
    question: "webhooks.list",
    keyOf,
    ask: (client, { tenantId, signal, query }) => client.webhooks.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    { id: "url", title: "url", value: endpointName, priority: 0, pinned: true, minimum: 24 },
    {
      id: "health",
      title: "health",
      value: (endpoint) => `${isWell(endpoint) ? "●" : "▲"} ${endpointState(endpoint)}`,
      token: (endpoint) => (isWell(endpoint) ? "good" : "warn"),
      shorter: (endpoint) => `${isWell(endpoint) ? "●" : "▲"} ${endpoint.status ?? ""}`,
      priority: 1,
      minimum: 10,
    },
    { id: "events", title: "events", value: endpointEvents, priority: 3 },
    { id: "role", title: "reads as", value: ({ role }) => roleName(role), priority: 4 },
    {
      id: "delivered",
      title: "delivered",
      value: ({ lastDeliveredAt }) => ageOf(lastDeliveredAt, nowMs),
      priority: 2,
    },
  ],
  actions: {
    toggleEndpoint: endpointToggle,
    deleteEndpoint: endpointRemoval,
    testEndpoint: endpointTest,
  },
  useHandlers: useEndpointHandlers,
  useRowKeys: useEndpointState,
  copied: keyOf,
  command: (row) => (row === undefined ? [["webhook", "list"]] : [["webhook", "show", row.id]]),
  missing: { words: "This platform has no webhooks." },
  empty: {
    words: "This workspace has no webhook endpoints.",
    offer: [webhookKeys.createEndpoint, "creates one"],
  },
  Detail: lineDetail<WebhookEndpoint>({
    kind: "endpoint",
    title: endpointName,
    keyOf,
    lines: endpointLines,
  }),
});
