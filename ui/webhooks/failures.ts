import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { hasTrouble, readEach, type FailureRule } from "../shell/platform/feed/failure-watch.ts";
import { endpointName, endpointState, sourceName } from "./words.ts";

const maximumEndpoints = 100;
/** The limit of a workspace; each source is one request more. */
const maximumSources = 100;

/** Reasons of a person, which are no failure. */
const wantedReasons: ReadonlySet<string> = new Set(["request", "imported"]);

export function isFailing({
  status,
  disabledReason,
  consecutiveFailures = 0,
}: WebhookEndpoint): boolean {
  if (status === "disabled") return !wantedReasons.has(disabledReason ?? "request");
  return consecutiveFailures > 0;
}

/** Endpoints that fail or were disabled, and sources whose newest failed call still waits. */
export const webhookFailures: readonly FailureRule[] = [
  {
    name: "endpoints",
    place: "webhooks",
    nouns: ["alert", "setting"],
    judge: ({ type, kind }) =>
      (type === "svc.alert.updated" && (kind ?? "webhook-endpoint") === "webhook-endpoint") ||
      (type.startsWith("svc.setting.") && kind === "webhook-endpoint") ||
      undefined,
    read: async (client, { tenantId, signal }) => {
      const query = { limit: maximumEndpoints };
      const { items } = await client.webhooks.list({ tenantId, signal, query });
      return items.filter(isFailing).map((endpoint) => ({
        id: `${endpoint.id} ${endpoint.disabledReason ?? "fails"}`,
        words: `${endpointName(endpoint)}: ${endpointState(endpoint)}`,
      }));
    },
  },
  {
    name: "sources",
    place: "webhooks",
    nouns: ["alert", "setting", "document.job"],
    judge: (change) =>
      (change.type === "svc.alert.updated" && change.kind === "webhook-source") ||
      hasTrouble(change, "webhook-received") ||
      undefined,
    mayEnd: ({ type, kind }) => type.startsWith("svc.setting.") && kind === "webhook-source",
    read: async (client, { tenantId, signal }) => {
      const sources = await client.webhookSources.list({
        tenantId,
        signal,
        query: { limit: maximumSources },
      });
      return readEach(sources.items, async (source) => {
        const { items } = await client.webhookSources.received({
          tenantId,
          signal,
          params: { source: source.source },
          query: { limit: 1, status: "failed" },
        });
        return items.map(({ id, error }) => ({
          id,
          words: `${sourceName(source)}: ${error ?? "a call has failed"}`,
        }));
      });
    },
  },
];
