import { expect, test } from "vitest";
import { RateWindows } from "#server/kit/turns/rate-windows.ts";

const at = (nowMs: number, cost = 1) => ({ cost, nowMs, windowMs: 1_000 });

test("requests of a window are counted until its end, also by another thread", () => {
  const windows = new RateWindows();
  expect(windows.count("a", at(5_000))).toEqual({ count: 1, leftMs: 1_000 });
  const other = new RateWindows({ memory: windows.memory });
  expect(other.count("a", at(5_450, 3))).toEqual({ count: 4, leftMs: 550 });
  expect(windows.count("b", at(5_450)).count).toBe(1);
  expect(windows.count("a", at(5_999)).count).toBe(5);
  expect(windows.count("a", at(6_000)).count).toBe(1);
});

test("windows go on where their 32-bit clock begins again", () => {
  const windows = new RateWindows();
  const end = 2 ** 32 * 100;
  windows.count("a", at(end - 100));
  expect(windows.count("a", at(end + 100)).count).toBe(2);
  expect(windows.count("a", at(end + 1_000)).count).toBe(1);
});

test("without a free place, the window that ends first is replaced", () => {
  const windows = new RateWindows({ places: 2 });
  windows.count("old", at(0));
  windows.count("young", at(500));
  windows.count("new", at(600));
  expect(windows.count("young", at(700)).count).toBe(2);
  expect(windows.count("old", at(700)).count).toBe(1);
});
