import { Webhook } from "standardwebhooks";
import type { WebhookDelivery, WebhookEndpointSecret } from "#contract/events/webhooks.ts";
import type { ChangeDetails, ChangeKind } from "#server/work/change-event.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";
import { caller, type TestPlatform } from "#test/support/platform.ts";

export const endpoints = "/v4/webhooks/endpoints";
export const inTenant = { "x-tenant-id": "{tenant}" };
/** Options of a platform whose webhooks may reach receivers of this machine. */
export const loopback = { webhookHosts: ["127.0.0.1"] };

export interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers the next requests; 204 by default. */
  answer: (request: Received) => Response | Promise<Response>;
  /** Ends the receiver before the test ends. */
  readonly close: () => Promise<void>;
}

const open = new Set<{ stop(isAtOnce: boolean): Promise<void> }>();
afterEveryTest(async () => {
  await Promise.all([...open].map((server) => server.stop(true)));
  open.clear();
});

/** A receiver on a free port of this machine, until the test ends. */
export function receiver(
  answer: Receiver["answer"] = () => new Response(null, { status: 204 }),
): Receiver {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const text = await request.text();
      const body = JSON.parse(text) as Record<string, unknown>;
      const one = { headers: Object.fromEntries(request.headers), text, body };
      received.push(one);
      return made.answer(one);
    },
  });
  open.add(server);
  const close = async (): Promise<void> => server.stop(true);
  const made: Receiver = { url: `http://127.0.0.1:${server.port}/hook`, received, answer, close };
  return made;
}

/** An admin's calls in the tenant; the token lives as long as the clocks of these tests. */
export async function asAdmin(the: TestPlatform) {
  const { email } = the.users["tenant-admin"];
  const { token } = await the.platform.mintToken({ email, ttlMs: 60 * 60_000 });
  const admin = caller(the.answer, token);
  const headers = { "x-tenant-id": the.workspaces.tenant };
  return {
    get: (path: string) => admin.get(path, { headers }),
    post: (path: string, body?: object) => admin.post(path, body, { headers }),
    patch: (path: string, body: object) => admin.patch(path, body, { headers }),
    delete: (path: string) => admin.delete(path, { headers }),
  };
}

export async function newEndpoint(
  the: TestPlatform,
  body: object,
): Promise<WebhookEndpointSecret & { readonly secret: string }> {
  const admin = await asAdmin(the);
  const properties = { name: { type: "string", indexed: true }, fee: { type: "number" } };
  const typed = await admin.post("/v4/data/resources/object-types", {
    slug: "permit",
    name: "Permit",
    properties,
  });
  if (typed.status !== 201 && typed.status !== 409) throw new Error(typed.text);
  const answered = await admin.post(endpoints, body);
  if (answered.status !== 201) throw new Error(answered.text);
  return answered.json as WebhookEndpointSecret & { readonly secret: string };
}

/** Commits a change of a workspace, as a service does. */
export async function change(
  the: TestPlatform,
  subject: string,
  { kind = "record", ...details }: ChangeDetails & { readonly kind?: ChangeKind } = {},
): Promise<void> {
  const { tenant } = the.workspaces;
  const typed = kind === "record" ? { type: "permit" } : {};
  const work = the.platform.platformWork("a change of a test").within(tenant);
  await work.write(async (tx) => tx.event(kind, subject, tenant, { ...typed, ...details }));
}

/** Makes and sends all that is due now. */
export function settle(the: TestPlatform): Promise<void> {
  return the.platform.services.webhooks.worker.settle();
}

export async function deliveriesOf(the: TestPlatform, id: string): Promise<WebhookDelivery[]> {
  const { json } = await (await asAdmin(the)).get(`${endpoints}/${id}/deliveries?limit=200`);
  return (json as { items: WebhookDelivery[] }).items;
}

export function verified(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers);
}
