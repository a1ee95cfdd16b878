import { expect, test, vi } from "vitest";
import { PacedTurns } from "#server/kit/turns/paced-turns.ts";

const mebibyte = 1024 * 1024;

test("a turn lasts in proportion to its bytes, and other shares do not wait for it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  try {
    const turns = new PacedTurns();
    const log: string[] = [];
    const end = await turns.take("hostile");
    const second = turns.take("hostile").then((endSecond) => {
      log.push("second of the hostile");
      endSecond(0);
    });
    end(8 * mebibyte);
    const endOther = await turns.take("other");
    log.push("other");
    endOther(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(log).toEqual(["other"]);
    await vi.advanceTimersByTimeAsync(100);
    await second;
    expect(log).toEqual(["other", "second of the hostile"]);
  } finally {
    vi.useRealTimers();
  }
});
