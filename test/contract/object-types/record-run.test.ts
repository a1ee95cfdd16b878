import { expect, test } from "vitest";
import { RecordRun } from "#contract/object-types/record-run.ts";
import { compilePattern } from "#lib/pattern.ts";
import { atOnce, type Stepwise } from "#lib/time/stepwise.ts";

test("faults have pointers from their places, and are bounded", () => {
  const run = new RecordRun(true, ["items", 3]);
  const place = { parent: { parent: undefined, key: "list" }, key: 0 };
  expect(run.fault(place, "is wrong")).toBe(undefined);
  expect(run.faults).toEqual([{ pointer: "#/items/3/list/0", detail: "is wrong" }]);
  for (let count = 0; count < 60; count += 1) run.fault(undefined, "x");
  expect([run.isFull, run.faults.length]).toEqual([true, 50]);
});

test("a budget is shared, and long tests are left to the caller", () => {
  const budget = { left: 10, later: [] as never[] };
  const run = new RecordRun(true, [], budget);
  expect([run.takesSteps(7), run.takesSteps(4), run.takesSteps(3)]).toEqual([true, false, true]);
  const pattern = compilePattern("^a+$");
  const fail = (): void => undefined;
  expect(run.matches(pattern, "b", fail)).toBe(false);
  expect(budget.later).toHaveLength(0);
  expect(run.matches(pattern, "b".repeat(300_000), fail)).toBe(true);
  expect(budget.later).toHaveLength(1);
  expect(new RecordRun(true, []).matches(pattern, "b".repeat(300_000), fail)).toBe(false);
});

test("a short test runs now, and the rest of a long one is left to the caller", () => {
  const parts: string[] = [];
  function* work(name: string, count: number): Stepwise<void> {
    for (let part = 0; part < count; part += 1) yield void parts.push(name);
  }
  const later: Stepwise<void>[] = [];
  const run = new RecordRun(true, [], { left: 0, later });
  run.test(work("short", 2));
  expect([parts.length, later.length]).toEqual([2, 0]);
  run.test(work("long", 50));
  expect(parts.length).toBeLessThan(20);
  expect(later).toHaveLength(1);
  atOnce(later[0] ?? work("none", 0));
  expect(parts).toHaveLength(52);
  new RecordRun(true, []).test(work("all", 50));
  expect(parts).toHaveLength(102);
});
