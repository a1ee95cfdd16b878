import { expect, test } from "vitest";
import { roomFor } from "#server/domains/webhooks/sender.ts";
import type { EndpointRecord } from "#server/domains/webhooks/store.ts";

let made = 0;
const endpoint = (workspaceId: string, settings: Partial<EndpointRecord> = {}): EndpointRecord => {
  made += 1;
  // The only columns that the rule reads.
  return {
    id: `e${made}`,
    workspace_id: workspaceId,
    failures: 0,
    last_delivered_at: "2026-01-01T00:00:00.000Z",
    ...settings,
  } as EndpointRecord;
};
const silent = (workspaceId: string): EndpointRecord =>
  endpoint(workspaceId, { last_delivered_at: null });

test("an endpoint that answers has four attempts, one that failed or never answered has one", () => {
  expect(roomFor(endpoint("a"), [])).toBe(4);
  expect(roomFor(endpoint("a", { failures: 1 }), [])).toBe(1);
  expect(roomFor(silent("a"), [])).toBe(1);
});

test("24 silent endpoints leave half of their workspace's room to one that answers", () => {
  const running: EndpointRecord[] = [];
  for (let count = 0; count < 24; count += 1) {
    const next = silent("a");
    if (roomFor(next, running) > 0) running.push(next);
  }
  expect(running).toHaveLength(8);
  const sound = endpoint("a");
  expect(roomFor(sound, running)).toBe(1);
  expect(roomFor(sound, [...running, sound])).toBeLessThanOrEqual(0);
  expect(roomFor(endpoint("b"), running)).toBe(4);
});

test("silent endpoints of all workspaces leave half of the platform's room", () => {
  const running: EndpointRecord[] = [];
  for (let count = 0; count < 400; count += 1) {
    const next = silent(`w${count % 50}`);
    if (roomFor(next, running) > 0) running.push(next);
  }
  expect(running).toHaveLength(128);
  expect(roomFor(endpoint("other"), running)).toBe(4);
});
