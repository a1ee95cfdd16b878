import { expect, test } from "vitest";
import { Occupancy, type RunningAttempt } from "#server/domains/webhooks/lanes/room.ts";
import type { EndpointRecord } from "#server/domains/webhooks/store.ts";

let made = 0;
const endpoint = (workspaceId: string, settings: Partial<EndpointRecord> = {}): EndpointRecord => {
  made += 1;
  // The only columns that the rule reads.
  return {
    id: `e${made}`,
    url: "https://example.org/",
    workspace_id: workspaceId,
    failures: 0,
    last_delivered_at: "2026-01-01T00:00:00.000Z",
    ...settings,
  } as EndpointRecord;
};
const silent = (workspaceId: string): EndpointRecord =>
  endpoint(workspaceId, { last_delivered_at: null });
const nowMs = 10_000;
const since = (one: EndpointRecord, beganMs = nowMs): RunningAttempt => ({
  endpoint: one,
  beganMs,
});

/** Begins all attempts for which these endpoints have room; returns how many. */
function begin(occupancy: Occupancy, endpoints: readonly EndpointRecord[]): number {
  return endpoints.reduce((all, each) => {
    const room = occupancy.roomFor(each);
    occupancy.add(each, room);
    return all + room;
  }, 0);
}

test.each([
  ["answered last", {}, "sound", 4],
  ["failed last", { failures: 1 }, "unsound", 1],
  ["never answered", { last_delivered_at: null }, "unsound", 1],
  ["pulls its deliveries", { url: null, last_delivered_at: null }, "sound", 4],
] as const)("an endpoint that %s has its lane and its room", (_name, settings, lane, room) => {
  const occupancy = new Occupancy([], nowMs);
  const one = endpoint("a", settings);
  expect([occupancy.laneOf(one), occupancy.roomFor(one)]).toEqual([lane, room]);
});

test("24 silent endpoints take nothing of the room of those that answer", () => {
  const occupancy = new Occupancy([], nowMs);
  expect(
    begin(
      occupancy,
      Array.from({ length: 24 }, () => silent("a")),
    ),
  ).toBe(8);
  const sound = endpoint("a");
  expect(begin(occupancy, [sound, sound])).toBe(4);
  expect(
    begin(
      occupancy,
      Array.from({ length: 20 }, () => endpoint("a")),
    ),
  ).toBe(12);
});

test("silent endpoints of all workspaces have a limit that leaves the others theirs", () => {
  const occupancy = new Occupancy([], nowMs);
  const all = Array.from({ length: 400 }, (_, at) => silent(`w${at % 50}`));
  expect(begin(occupancy, all)).toBe(128);
  expect(occupancy.roomFor(endpoint("other"))).toBe(4);
});

test("an endpoint that stops answering leaves the lane, and its attempts give their room back", () => {
  const hangs = Array.from({ length: 4 }, () => endpoint("a"));
  const running = hangs.flatMap((one) => [since(one), since(one), since(one), since(one)]);
  const fast = endpoint("a");
  expect(new Occupancy(running, nowMs).roomFor(fast)).toBe(0);
  const later = new Occupancy(running, nowMs + 1_000);
  expect(hangs.map((one) => later.laneOf(one))).toEqual(hangs.map(() => "unsound"));
  expect(hangs.map((one) => later.roomFor(one))).toEqual(hangs.map(() => 0));
  expect([later.laneOf(fast), later.roomFor(fast)]).toEqual(["sound", 4]);
});

test("endpoints that hang leave room to those of their workspace that fail at once", () => {
  const hangs = Array.from({ length: 12 }, () => silent("a"));
  const occupancy = new Occupancy(
    hangs.map((one) => since(one, 0)),
    nowMs,
  );
  const failing = Array.from({ length: 12 }, () => endpoint("a", { failures: 1 }));
  expect(begin(occupancy, failing)).toBe(4);
  expect(begin(occupancy, hangs)).toBe(0);
});

test("slow attempts of many workspaces end at the platform's limit", () => {
  const running = Array.from({ length: 384 }, (_, at) => since(endpoint(`w${at}`), 0));
  expect(new Occupancy(running, nowMs).roomFor(endpoint("other"))).toBe(0);
});
