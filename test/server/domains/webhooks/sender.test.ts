import { expect, test } from "vitest";
import { LaneTurns } from "#server/domains/webhooks/lanes/lane-turns.ts";
import { Sender } from "#server/domains/webhooks/sender.ts";
import type { EndpointRecord } from "#server/domains/webhooks/store.ts";

// The only columns that the claim of an endpoint without due deliveries reads.
const endpoint = {
  id: "e1",
  workspace_id: "w1",
  url: "https://example.org/",
  failures: 0,
  last_failed_at: null,
  last_delivered_at: "2026-01-01T00:00:00.000Z",
} as EndpointRecord;

/** A sender whose claims end as the given promise does. */
function senderOf(claimed: Promise<{ claimed: []; current: undefined }>): Sender {
  const unused = (): never => {
    throw new Error("a claim needs no more than its turn");
  };
  return new Sender({
    turns: Object.assign(new LaneTurns("sqlite"), { run: () => claimed }),
    now: () => new Date(0),
    platformWork: unused,
    messages: { of: unused },
    address: { allowedHosts: new Set(), resolve: unused, ca: undefined },
    timeoutMs: 1,
    random: unused,
    logger: { error: unused },
    onSent: unused,
  });
}

test("a sender is idle when no claim of deliveries is under way either", async () => {
  const { promise, resolve } = Promise.withResolvers<{ claimed: []; current: undefined }>();
  const sender = senderOf(promise);
  const order: string[] = [];
  const sent = sender.sendTo(endpoint).then(() => order.push("claimed"));
  const idle = sender.idle().then(() => order.push("idle"));
  await Bun.sleep(5);
  expect(order).toEqual([]);
  resolve({ claimed: [], current: undefined });
  await Promise.all([sent, idle]);
  expect(order).toEqual(["claimed", "idle"]);
});

test("a claim that fails leaves the sender idle, and its room free", async () => {
  const sender = senderOf(Promise.reject(new Error("the database is gone")));
  const room = sender.occupancy().roomFor(endpoint);
  await expect(sender.sendTo(endpoint)).rejects.toThrow("the database is gone");
  await sender.idle();
  expect(sender.occupancy().roomFor(endpoint)).toBe(room);
});
