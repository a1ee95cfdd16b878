import { expect } from "vitest";
import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointSecret,
} from "#contract/events/webhooks.ts";
import type { TestPlatform, TestUser } from "#test/support/platform.ts";
import type { RouteTable } from "./route-case.ts";

const path = "/v4/webhooks/endpoints";
const url = "https://hooks.example.org/svc";
/** A temporary endpoint sends nothing by itself. */
const temporary = { temporary: true, kinds: ["record"] };

async function made(the: TestPlatform, user: TestUser, tenantId: string) {
  const headers = { "x-tenant-id": tenantId };
  // A workspace has at most 50 endpoints.
  const listed = await the.as(user).get(`${path}?limit=100`, { headers });
  for (const old of (listed.json as { items: WebhookEndpoint[] }).items.slice(1)) {
    await the.as(user).delete(`${path}/${old.id}`, { headers });
  }
  const created = await the.as(user).post(path, temporary, { headers });
  const { id } = created.json as WebhookEndpointSecret;
  const tested = await the.as(user).post(`${path}/${id}/test`, undefined, { headers });
  const results = [{ deliveryId: (tested.json as WebhookDelivery).id, responseStatus: 500 }];
  await the.as(user).post(`${path}/${id}/pull`, { results }, { headers });
  return { id, deliveryId: results[0]?.deliveryId ?? "" };
}

async function endpoint(the: TestPlatform): Promise<Record<string, string>> {
  const own = await made(the, "tenant-admin", the.workspaces.tenant);
  const foreign = await made(the, "outsider", the.workspaces.other);
  return { endpointId: own.id, deliveryId: own.deliveryId, foreignId: foreign.id };
}

const unknownName = { name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] };
const noBody = { name: "an unknown member", body: { force: true }, pointers: ["#/force"] };

/** The endpoints of a workspace that receive its changes, and what was sent to them. */
export const webhookCases: RouteTable = {
  "webhooks.list": {
    good: [{ name: "lists", answers: { items: expect.any(Array) } }],
    bad: [{ name: "a page of none", query: "?limit=0", pointers: ["#/query/limit"] }],
  },
  "webhooks.create": {
    good: [
      {
        name: "shows the secret",
        status: 201,
        body: { url },
        answers: {
          url,
          role: "tenant-viewer",
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{44}$/),
          publicKey: expect.stringMatching(/^whpk_/),
        },
      },
    ],
    bad: [
      { name: "no address", body: {}, pointers: ["#/url"] },
      { name: "an unknown rule", body: { url, rules: ["none"] }, pointers: ["#/rules/0"] },
      { name: "an inner address", body: { url: "http://127.0.0.1/" }, pointers: ["#/url"] },
      { name: "members for a viewer", body: { url, kinds: ["member"] }, pointers: ["#/kinds/0"] },
      { name: "an unknown type", body: { url, types: ["nothing"] }, pointers: ["#/types/0"] },
      { name: "a filter without a type", body: { url, where: { a: 1 } }, pointers: ["#/types"] },
    ],
  },
  "webhooks.get": {
    before: endpoint,
    good: [{ name: "shows", answers: { id: "{endpointId}", status: "active" } }],
    bad: [unknownName],
  },
  "webhooks.update": {
    before: endpoint,
    good: [
      {
        name: "changes",
        body: { description: "Tested", enabled: false },
        answers: { description: "Tested", status: "disabled", disabledReason: "request" },
      },
    ],
    bad: [
      { name: "an unknown role", body: { role: "owner" }, pointers: ["#/role"] },
      { name: "a URL of a temporary one", body: { url }, pointers: ["#/url"] },
    ],
  },
  "webhooks.remove": {
    before: endpoint,
    good: [{ name: "deletes", answers: { id: "{endpointId}", status: "deleted" } }],
    bad: [unknownName],
  },
  "webhooks.test": {
    before: endpoint,
    good: [{ name: "sends", status: 202, answers: { origin: "test", status: "pending" } }],
    bad: [unknownName],
  },
  "webhooks.rotate": {
    before: endpoint,
    good: [
      {
        name: "shows a new secret",
        body: { graceDays: 7 },
        answers: { secret: expect.any(String), rotatesUntil: expect.any(String) },
      },
    ],
    bad: [{ name: "a grace of 8 days", body: { graceDays: 8 }, pointers: ["#/graceDays"] }],
  },
  "webhooks.enable": {
    before: endpoint,
    good: [{ name: "enables", answers: { status: "active", consecutiveFailures: 0 } }],
    bad: [unknownName],
  },
  "webhooks.replay": {
    before: endpoint,
    good: [
      { name: "sends again", status: 202, body: { failed: true }, answers: { complete: true } },
      {
        name: "sends one again",
        status: 202,
        body: { deliveryId: "{deliveryId}" },
        answers: { replayed: 1 },
      },
    ],
    bad: [
      { name: "nothing", body: {}, pointers: ["#/deliveryId"] },
      { name: "no time", body: { from: "yesterday" }, pointers: ["#/from"] },
    ],
  },
  "webhooks.pull": {
    before: endpoint,
    good: [{ name: "takes", body: { results: [] }, answers: { items: [] } }],
    bad: [noBody],
  },
  "webhooks.deliveries": {
    before: endpoint,
    good: [
      {
        name: "lists",
        query: "?status=failed",
        answers: { items: [{ id: "{deliveryId}", responseStatus: 500, attempts: 1 }] },
      },
    ],
    bad: [{ name: "a state", query: "?status=lost", pointers: ["#/query/status"] }],
  },
  "webhooks.delivery": {
    before: endpoint,
    good: [{ name: "shows", answers: { id: "{deliveryId}", status: "failed" } }],
    bad: [unknownName],
  },
};
