import { expect } from "vitest";
import type { WebhookSource, WebhookSourceSecret } from "#contract/events/webhook-sources.ts";
import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import type { RouteTable } from "./route-case.ts";

const path = "/v4/webhooks/sources";
const secret = "a secret of the sender";
const signed = { "x-tenant-id": "", "x-webhook-token": secret };

/** A source of a workspace with one received call; at most one is left from earlier cases. */
async function made(the: TestPlatform, user: TestUser, tenantId: string) {
  const headers = { "x-tenant-id": tenantId };
  const listed = await the.as(user).get(`${path}?limit=100`, { headers });
  for (const old of (listed.json as { items: WebhookSource[] }).items.slice(1)) {
    await the.as(user).delete(`${path}/${old.source}`, { headers });
  }
  const body = { name: "Sender", scheme: { type: "token" }, secret };
  const created = await the.as(user).post(path, body, { headers });
  const { source } = created.json as WebhookSourceSecret;
  const sent = { rawBody: "{}", headers: signed };
  const answer = await the.as("nobody").post(`/v4/webhooks/${source}`, undefined, sent);
  return { source, receivedId: String(field(answer.json, "id")) };
}

async function calledSource(the: TestPlatform): Promise<Record<string, string>> {
  const own = await made(the, "tenant-admin", the.workspaces.tenant);
  const foreign = await made(the, "outsider", the.workspaces.other);
  return { ...own, foreignSource: foreign.source, foreignId: foreign.receivedId };
}

async function endedCall(the: TestPlatform): Promise<Record<string, string>> {
  const called = await calledSource(the);
  const call = `${path}/${called["source"]}/received/${called["receivedId"]}`;
  const headers = { "x-tenant-id": the.workspaces.tenant };
  await eventually(async () => {
    const shown = await the.as("tenant-admin").get(call, { headers });
    expect(field(shown.json, "status")).not.toBe("waiting");
  });
  return called;
}

const foreign = { source: "{foreignSource}" };
const unknownName = { name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] };
const noSource = {
  name: "no id of a source",
  params: { source: "a.b" },
  pointers: ["#/path/source"],
};

/** The sources of calls from outside, and the calls that they have received. */
export const webhookSourceCases: RouteTable = {
  "webhookSources.receive": {
    before: calledSource,
    good: [
      { name: "accepts the secret", status: 202, headers: signed, rawBody: "[1]" },
      {
        name: "knows a repeated call",
        status: 202,
        headers: signed,
        rawBody: "{}",
        answers: { id: "{receivedId}", duplicate: true },
      },
    ],
    bad: [
      noSource,
      {
        name: "another secret",
        headers: { ...signed, "x-webhook-token": "another secret" },
        status: 401,
        code: "token-invalid",
        pointers: [],
      },
      {
        name: "a source that never was",
        params: { source: "A".repeat(43) },
        status: 401,
        code: "token-invalid",
        pointers: [],
      },
    ],
  },
  "webhookSources.list": {
    good: [{ name: "lists", answers: { items: expect.any(Array) } }],
    bad: [{ name: "a page of none", query: "?limit=0", pointers: ["#/query/limit"] }],
  },
  "webhookSources.create": {
    good: [
      {
        name: "shows the secret",
        status: 201,
        body: { name: "GitHub", scheme: { type: "hmac" } },
        answers: {
          source: expect.stringMatching(/^[\w-]{43}$/),
          scheme: { type: "hmac", header: "x-hub-signature-256", prefix: "sha256=" },
          role: "tenant-staff",
          mapping: "empty",
          secret: expect.any(String),
        },
      },
    ],
    bad: [
      { name: "no name", body: {}, pointers: ["#/name"] },
      {
        name: "an unknown scheme",
        body: { name: "A", scheme: { type: "none" } },
        pointers: ["#/scheme/type"],
      },
      { name: "an unknown role", body: { name: "A", role: "owner" }, pointers: ["#/role"] },
      { name: "a short secret", body: { name: "A", secret: "short" }, pointers: ["#/secret"] },
      {
        name: "a secret that the scheme does not take",
        body: { name: "A", scheme: { type: "standard" }, secret },
        pointers: ["#/secret"],
      },
    ],
  },
  "webhookSources.get": {
    before: calledSource,
    foreign,
    good: [{ name: "shows", answers: { source: "{source}", status: "active" } }],
    bad: [unknownName, noSource],
  },
  "webhookSources.update": {
    before: calledSource,
    foreign,
    good: [
      {
        name: "changes",
        body: { name: "Other", role: "tenant-viewer", enabled: false },
        answers: { name: "Other", role: "tenant-viewer", status: "disabled" },
      },
    ],
    bad: [
      { name: "an unknown role", body: { role: "owner" }, pointers: ["#/role"] },
      { name: "an empty mapping", body: { mapping: "" }, pointers: ["#/mapping"] },
    ],
  },
  "webhookSources.remove": {
    before: calledSource,
    foreign,
    good: [{ name: "deletes", answers: { source: "{source}", status: "deleted" } }],
    bad: [unknownName],
  },
  "webhookSources.rotate": {
    before: calledSource,
    foreign,
    good: [
      {
        name: "shows a new secret",
        body: { graceDays: 7 },
        answers: { secret: expect.any(String), rotatesUntil: expect.any(String) },
      },
    ],
    bad: [{ name: "a grace of 8 days", body: { graceDays: 8 }, pointers: ["#/graceDays"] }],
  },
  "webhookSources.test": {
    before: calledSource,
    foreign,
    good: [
      {
        name: "shows the effect",
        body: {
          mapping: '{upsert: {type: "ledger", property: "reference", value: .body.id, data: {}}}',
          body: { id: "R-1" },
        },
        answers: {
          error: null,
          effect: { upsert: { type: "ledger", property: "reference", value: "R-1", data: {} } },
        },
      },
      {
        name: "shows why a mapping fails",
        body: { mapping: ".body[0].x", receivedId: "{receivedId}" },
        answers: { effect: null, error: expect.any(String) },
      },
    ],
    bad: [
      { name: "no call", body: {}, pointers: ["#/body"] },
      { name: "no id", body: { receivedId: "nonsense" }, pointers: ["#/receivedId"] },
    ],
  },
  "webhookSources.received": {
    before: calledSource,
    foreign,
    good: [{ name: "lists", answers: { items: [{ id: "{receivedId}", size: 2 }] } }],
    bad: [{ name: "a state", query: "?status=lost", pointers: ["#/query/status"] }],
  },
  "webhookSources.receivedCall": {
    before: calledSource,
    foreign,
    good: [{ name: "shows", answers: { id: "{receivedId}", body: "{}" } }],
    bad: [unknownName],
  },
  "webhookSources.replay": {
    before: endedCall,
    foreign,
    good: [{ name: "takes effect again", status: 202, answers: { id: "{receivedId}" } }],
    bad: [unknownName],
  },
};
