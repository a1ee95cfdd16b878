import { shown, type Shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { counted } from "#lib/text/counted.ts";
import type { CommandContext } from "../kit/context.ts";
import { whereShown } from "./made-keys.ts";

/**
 * The active webhook endpoints that a user made, the newest first; none where the platform has no
 * webhooks or shows them to others only. A webhook source is listed by its API key.
 */
export async function endpointsMadeBy(
  { signal }: CommandContext,
  client: Client,
  findOid: () => Promise<string>,
): Promise<WebhookEndpoint[]> {
  return whereShown(async () => {
    const createdBy = await findOid();
    // A workspace has at most 50 endpoints.
    const { items } = await client.webhooks.list({ query: { limit: 50 }, signal });
    return items.filter(
      ({ created_by, status }) => created_by === createdBy && status === "active",
    );
  });
}

/** The end of the question before a removal, e.g. `, and disable 1 webhook endpoint: https://…`. */
export function endpointQuestion(
  endpoints: readonly WebhookEndpoint[],
  keys: "keep" | "revoke",
): string {
  if (endpoints.length === 0) return "";
  const number = counted(endpoints.length, "webhook endpoint");
  return `, and ${verbOf(keys)} ${number}: ${endpointWords(endpoints)}`;
}

/** The sentence of a dry run about the endpoints. */
export function endpointPlan(
  name: string,
  endpoints: readonly WebhookEndpoint[],
  keys: "keep" | "revoke",
): Shown {
  const words = `Would ${verbOf(keys)} the webhook endpoints that ${name} made`;
  return shown`${words}: ${endpointWords(endpoints)}`;
}

function verbOf(keys: "keep" | "revoke"): string {
  return keys === "keep" ? "keep" : "disable";
}

function endpointWords(endpoints: readonly WebhookEndpoint[]): string {
  return endpoints.map(({ id, url }) => url ?? id).join(", ");
}
