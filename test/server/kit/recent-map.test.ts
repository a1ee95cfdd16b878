import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "#server/kit/recent-map.ts";

test("a value that is read again and again stays", () => {
  const map = new RecentMap<number, string>(10);
  map.set(-1, "kept");
  for (let key = 0; key < 1_000; key += 1) {
    map.set(key, "passing");
    expect(map.get(-1)).toBe("kept");
  }
  expect(map.get(0)).toBeUndefined();
});

test("returns only the last value of a key, and keeps no more than its limit", () => {
  const limit = 8;
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 30 })), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const map = new RecentMap<number, number>(limit);
      const last = new Map<number, number>();
      all.forEach(([isSet, key], at) => {
        if (isSet) {
          map.set(key, at);
          last.set(key, at);
        } else expect([undefined, last.get(key)]).toContain(map.get(key));
      });
      const kept = [...last.keys()].filter((key) => map.get(key) !== undefined);
      expect(kept.length).toBeLessThanOrEqual(limit);
    }),
  );
});

test("the latest half of its limit is always present", () => {
  const map = new RecentMap<number, number>(8);
  for (let key = 0; key < 100; key += 1) {
    map.set(key, key);
    for (let back = 0; back < 4 && back <= key; back += 1)
      expect(map.get(key - back)).toBe(key - back);
  }
});

test("a value expires, also one that was read meanwhile", () => {
  let nowMs = 0;
  const map = new RecentMap<string, string>(8, { lifeMs: 100, now: () => nowMs });
  map.set("a", "first");
  map.set("b", "second");
  nowMs = 60;
  map.set("b", "third");
  for (const key of ["c", "d"]) map.set(key, "other");
  expect(map.get("b")).toBe("third");
  nowMs = 99;
  expect(map.get("a")).toBe("first");
  nowMs = 100;
  expect([map.get("a"), map.get("b")]).toEqual([undefined, "third"]);
  nowMs = 160;
  expect(map.get("b")).toBeUndefined();
});

test("weights count against the limit, also those of replaced and deleted values", () => {
  const map = new RecentMap<string, string>(20, { weightOf: (value) => value.length });
  const present = (...keys: string[]) => keys.filter((key) => map.get(key) !== undefined);
  for (let time = 0; time < 100; time += 1) map.set("a", "xxxx");
  map.set("b", "xxxx");
  for (let time = 0; time < 100; time += 1) {
    map.set("c", "xxxx");
    map.delete("c");
  }
  expect(present("a", "b", "c")).toEqual(["a", "b"]);
  map.set("large", "x".repeat(30));
  map.set("d", "x".repeat(9));
  expect(present("large", "d")).toEqual(["large", "d"]);
  map.set("e", "x".repeat(9));
  expect(present("a", "b", "e")).toEqual(["e"]);
});

test("a deleted value is gone", () => {
  const map = new RecentMap<number, number>(8);
  for (let key = 0; key < 6; key += 1) map.set(key, key);
  map.get(1);
  map.delete(1);
  map.deleteWhere((value) => value % 2 === 0);
  map.set(3, 30);
  map.deleteWhere((value) => value === 3);
  expect(map.get(3)).toBe(30);
  const present = () => [0, 1, 2, 3, 4, 5].filter((key) => map.get(key) !== undefined);
  expect(present()).toEqual([3, 5]);
  map.clear();
  expect(present()).toEqual([]);
});
