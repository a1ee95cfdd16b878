import { expect, test, vi } from "vitest";
import { OverloadedError } from "#server/kit/storage-errors.ts";
import { scanPermits, scanTurn } from "#server/database/scan-permits.ts";

test("a scan waits for as long as its search has time, and a short one for four seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const permits = scanPermits(100);
    const turn = (limitMs: number) => scanTurn(permits, { share: "w" }, "caller", limitMs);
    const running = await Promise.all([turn(10_000), turn(10_000)]);
    const search = turn(10_000);
    const other = turn(1_500);
    const refused = expect(other).rejects.toThrow(OverloadedError);
    await vi.advanceTimersByTimeAsync(6_000);
    await refused;
    running[0]?.release();
    expect((await search).timeLimitMs).toBe(4_000);
  } finally {
    vi.useRealTimers();
  }
});
