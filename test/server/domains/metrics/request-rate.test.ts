import { expect, it } from "vitest";
import { rateLookMs, RequestRate } from "#server/domains/metrics/request-rate.ts";

it("is that of the last minute, once there are looks so old", () => {
  let [nowMs, requests] = [0, 500];
  const rate = new RequestRate(
    () => requests,
    () => nowMs,
  );
  expect(rate.perMinute()).toBe(undefined);
  nowMs = 2_000;
  requests = 510;
  expect(rate.perMinute()).toBe(300);
  for (let look = 1; look <= 12; look += 1) {
    nowMs = look * rateLookMs;
    // Ten requests in each ten seconds, and none in the last minute.
    if (look <= 6) requests = 500 + 10 * look;
    rate.look();
    if (look === 6) expect(rate.perMinute()).toBe(60);
  }
  expect(rate.perMinute()).toBe(0);
});
