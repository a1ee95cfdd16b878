import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "#server/kit/recent-map.ts";

test("what is asked for again and again stays, whatever else comes", () => {
  const map = new RecentMap<number, string>(10);
  map.set(-1, "kept");
  for (let key = 0; key < 1_000; key += 1) {
    map.set(key, "passing");
    expect(map.get(-1)).toBe("kept");
  }
  expect(map.get(0)).toBeUndefined();
});

test("never gives another value than the last, and keeps no more than its limit", () => {
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
      // Asking itself makes what is asked for the latest.
      expect(kept.length).toBeLessThanOrEqual(limit);
    }),
  );
});

test("the latest half of its limit is always there", () => {
  const map = new RecentMap<number, number>(8);
  for (let key = 0; key < 100; key += 1) {
    map.set(key, key);
    for (let back = 0; back < 4 && back <= key; back += 1)
      expect(map.get(key - back)).toBe(key - back);
  }
});
