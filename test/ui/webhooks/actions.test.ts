import { expect, test } from "vitest";
import {
  endpointRemoval,
  endpointRotation,
  endpointTest,
  endpointToggle,
  failedReplay,
  replayCall,
  replayDelivery,
  sourceRemoval,
  sourceRotation,
  sourceToggle,
} from "#ui/webhooks/actions.ts";
import { recorded, recordingClient } from "../support/recorded-action.ts";

const endpoint = { id: "e1", url: "https://a.test/hook", status: "active" } as never;
const disabled = { ...(endpoint as object), status: "disabled" } as never;
const source = { source: "s1", name: "Stripe", status: "active" } as never;

test("an endpoint is disabled, and enabled again", async () => {
  expect(await recorded(endpointToggle, endpoint)).toMatchObject({
    title: "Disable https://a.test/hook",
    command: [["webhook", "update", "e1"], { disable: true }],
    calls: [["webhooks.update", { params: { endpointId: "e1" }, body: { enabled: false } }]],
  });
  expect(await recorded(endpointToggle, disabled)).toMatchObject({
    command: [["webhook", "enable", "e1"]],
    calls: [["webhooks.enable", { params: { endpointId: "e1" } }]],
    done: "enabled https://a.test/hook",
  });
  expect((await recorded(endpointRemoval, endpoint)).calls).toEqual([
    ["webhooks.remove", { tenantId: "w", params: { endpointId: "e1" } }],
  ]);
});

test.each([
  [0, "the former secret ends at once"],
  [1, "the former secret works too for 1 day"],
])("a rotation with %i days of grace", async (graceDays, words) => {
  const rotation = await recorded(endpointRotation, { of: endpoint, graceDays });
  expect(rotation.effects?.[1]).toBe(words);
  expect(rotation).toMatchObject({
    command: [["webhook", "rotate", "e1"], { "grace-days": graceDays }],
    calls: [["webhooks.rotate", { body: { graceDays } }]],
  });
  expect(await recorded(sourceRotation, { of: source, graceDays })).toMatchObject({
    command: [["webhook", "source", "rotate", "s1"], { "grace-days": graceDays }],
    calls: [["webhookSources.rotate", { params: { source: "s1" }, body: { graceDays } }]],
  });
});

test("a test event reports its outcome", async () => {
  const delivered = { status: "delivered", responseStatus: 204, durationMs: 12 };
  expect((await recorded(endpointTest, endpoint, delivered)).done).toMatch(
    /delivered, .*after 12 ms$/,
  );
  const failed = await recorded(endpointTest, endpoint, { status: "failed", error: "timed out" });
  expect(failed.done).toEqual({ failed: expect.stringContaining("timed out") });
});

test("failed deliveries are sent again, and more may follow", async () => {
  const named = { id: "e1", name: "Hook" };
  const request = (body: object) => [
    "webhooks.replay",
    { tenantId: "w", params: { endpointId: "e1" }, body },
  ];
  const whole = await recorded(failedReplay, named, { replayed: 1, next: null });
  expect(whole).toMatchObject({
    calls: [request({ failed: true })],
    done: "sending 1 event again",
  });
  // An answer that never ends is not followed for ever.
  const endless = await recorded(failedReplay, named, { replayed: 2, next: "x" });
  const more = Array.from({ length: 19 }, () => request({ failed: true, from: "x" }));
  expect(endless.calls).toEqual([request({ failed: true }), ...more]);
  expect(endless.done).toBe(
    "sending 40 events again; more follow: svc webhook replay e1 --failed --from x",
  );
  const calls: [string, ...unknown[]][] = [];
  const client = recordingClient(calls, {});
  await replayDelivery(client, "e1", "w")({ id: "d1" } as never);
  await replayCall(client, "s1", "w")({ id: "c1" } as never);
  expect(calls).toEqual([
    [
      "webhooks.replay",
      { tenantId: "w", params: { endpointId: "e1" }, body: { deliveryId: "d1" } },
    ],
    ["webhookSources.replay", { tenantId: "w", params: { source: "s1", receivedId: "c1" } }],
  ]);
});

test("a source is disabled, and deleted after its name is typed", async () => {
  expect(await recorded(sourceToggle, source)).toMatchObject({
    command: [["webhook", "source", "update", "s1"], { "no-enabled": true }],
    calls: [["webhookSources.update", { body: { enabled: false } }]],
  });
  expect(await recorded(sourceRemoval, source)).toMatchObject({
    typed: "Stripe",
    calls: [["webhookSources.remove", { params: { source: "s1" } }]],
  });
});
