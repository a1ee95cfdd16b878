import { describe, expect, it } from "vitest";
import { ConnectionMeter } from "#ui/shell/platform/connection.ts";

describe("the connection", () => {
  it("has a steady latency, and is offline without a response", () => {
    const meter = new ConnectionMeter();
    let changes = 0;
    meter.subscribe(() => (changes += 1));
    for (const durationMs of [4, 5, 4, 6, 5, 7]) meter.record({ status: 200, durationMs });
    expect(meter.get()).toEqual({ state: "live", latencyMs: 4 });
    expect(changes).toBe(1);
    const nine = (durationMs: number) => {
      for (let count = 0; count < 9; count += 1) meter.record({ status: 200, durationMs });
    };
    nine(90);
    expect(meter.get().latencyMs).toBe(4);
    expect(changes).toBe(1);
    meter.show();
    expect(meter.get().latencyMs).toBe(90);
    nine(30);
    nine(90);
    meter.show();
    expect(changes).toBe(2);
    nine(1_200);
    expect(meter.get().latencyMs).toBe(1_200);
    nine(90);
    expect(meter.get().latencyMs).toBe(90);
    meter.record({ durationMs: 5 });
    expect(meter.get()).toEqual({ state: "offline", latencyMs: undefined });
  });

  it.each([502, 503])("is degraded while the platform answers %i", (status) => {
    const meter = new ConnectionMeter();
    meter.record({ status: 200, durationMs: 4 });
    meter.record({ status, durationMs: 4 });
    expect(meter.get()).toEqual({ state: "degraded", latencyMs: undefined });
  });

  // A timeout or a fault of one route says nothing about the others.
  it.each([500, 504, 404])("is live again after an answer %i", (status) => {
    const meter = new ConnectionMeter();
    meter.record({ status: 200, durationMs: 4 });
    meter.record({ status: 503, durationMs: 4 });
    meter.record({ status, durationMs: 6 });
    expect(meter.get()).toEqual({ state: "live", latencyMs: 6 });
  });

  it("measures the wait for a response", () => {
    let nowMs = 0;
    const meter = new ConnectionMeter(() => nowMs);
    meter.record({ status: 200, durationMs: 4 });
    const [endFirst, endSecond] = [meter.sent(), meter.sent()];
    nowMs = 1_900;
    meter.checkWait();
    expect(meter.get()).toEqual({ state: "live", latencyMs: 4 });
    nowMs = 8_000;
    meter.checkWait();
    expect(meter.get()).toMatchObject({ state: "waiting", waitedMs: 8_000 });
    endFirst();
    expect(meter.get()).toMatchObject({ state: "waiting" });
    endSecond();
    expect(meter.get()).toEqual({ state: "live", latencyMs: 4 });
    // An offline platform does not become waiting.
    meter.record({ durationMs: 5 });
    meter.sent();
    nowMs = 20_000;
    meter.checkWait();
    expect(meter.get().state).toBe("offline");
  });

  it("counts failed attempts of the last 15 minutes, and no missing routes", () => {
    let nowMs = 0;
    const meter = new ConnectionMeter(() => nowMs);
    for (const status of [200, 404, 500, 501, 503, undefined])
      meter.record({ status, durationMs: 5 });
    expect(meter.figures().failures).toBe(3);
    nowMs = 15 * 60_000 + 1;
    meter.record({ status: 200, durationMs: 7 });
    expect(meter.figures()).toEqual({ recentMs: [7], failures: 0 });
  });
});
