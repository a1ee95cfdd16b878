import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Exchange, type ExchangeHost } from "#server/http/exchange.ts";
import { FailureLog } from "#server/http/failure-log.ts";
import type { LogEvent } from "#server/platform.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function failingRequests() {
  const events: LogEvent[] = [];
  const logger = {
    info: () => {},
    warn: () => {},
    error: (event: LogEvent) => void events.push(event),
  };
  const log = new FailureLog(logger, 3, 1_000);
  const request = new Request("http://platform.test/v4/notes?secret=1");
  // The log does not use the exchange's host.
  const exchange = new Exchange({} as ExchangeHost, request, undefined);
  const fail = (count: number): void => {
    for (let at = 0; at < count; at += 1) log.note(exchange, new Error("the disk is away"));
  };
  return { events, fail };
}

test("thousands of failures are a few lines and their number", () => {
  const { events, fail } = failingRequests();
  fail(5_000);
  expect(events.map(({ event }) => event)).toEqual(Array(3).fill("request-failed"));
  expect(events[0]).toMatchObject({ path: "/v4/notes", error: expect.stringContaining("is away") });
  vi.advanceTimersByTime(1_000);
  expect(events.slice(3)).toEqual([{ event: "request-failures-omitted", count: 4_997 }]);
});

test("each window has its own lines, and a quiet one has none", () => {
  const { events, fail } = failingRequests();
  fail(2);
  vi.advanceTimersByTime(1_000);
  fail(3);
  vi.advanceTimersByTime(5_000);
  expect(events.map(({ event }) => event)).toEqual(Array(5).fill("request-failed"));
});
