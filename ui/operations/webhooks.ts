import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { listPlace } from "../kit/places/list-place.tsx";
import { ageWords } from "../kit/text/words.ts";

function stateOf({
  status = "",
  disabledReason,
  consecutiveFailures = 0,
}: WebhookEndpoint): string {
  if (disabledReason) return `${status}: ${disabledReason}`;
  return consecutiveFailures === 0 ? status : `${consecutiveFailures} failures in a row`;
}

/** The webhook endpoints of the workspace and their health, for its admins. */
export const webhooks = listPlace<WebhookEndpoint>({
  name: "webhooks",
  title: "Webhook endpoints",
  loading: "Loading the webhook endpoints",
  list: {
    question: "webhooks.list",
    keyOf: ({ id }) => id,
    ask: (client, { tenantId, signal, query }) => client.webhooks.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    {
      id: "url",
      title: "url",
      value: ({ url }) => url ?? "pulled by a command",
      priority: 0,
      pinned: true,
      minimum: 24,
    },
    {
      id: "state",
      title: "state",
      value: stateOf,
      token: (endpoint) => (stateOf(endpoint) === "active" ? undefined : "warn"),
      priority: 1,
      minimum: 18,
    },
    {
      id: "events",
      title: "events",
      value: ({ kinds }) => kinds?.join(", ") ?? "all",
      priority: 2,
    },
    {
      id: "role",
      title: "role",
      value: ({ role = "" }) => role.replace("tenant-", ""),
      priority: 3,
    },
    {
      id: "delivered",
      title: "delivered",
      value: ({ lastDeliveredAt }) => ageWords(lastDeliveredAt ?? undefined, nowMs) || "never",
      priority: 4,
    },
  ],
  copied: ({ id }) => id,
  command: () => [["webhook", "list"]],
  missing: { words: "This platform has no webhooks." },
  empty: { words: "This workspace has no webhook endpoints.", next: "svc webhook create URL" },
});
