import { describe, expect, test } from "vitest";
import { OrderedUuids, uuidNumber } from "#server/kit/ordered-uuid.ts";

const at = new Date("2026-11-21T09:00:00.000Z");

test("ids are in the order of the calls, and each has a larger number than the one before", () => {
  const uuids = new OrderedUuids();
  const ids = Array.from({ length: 10_000 }, () => uuids.next(at));
  expect(ids).toEqual(ids.toSorted());
  const numbers = ids.map(uuidNumber);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
});

test("generators that share their memory never give the same number", () => {
  const one = new OrderedUuids();
  const other = new OrderedUuids(one.memory);
  const ids = Array.from({ length: 1000 }, () => [one.next(at), other.next(at)]).flat();
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids.map(uuidNumber)).size).toBe(2000);
});

test("an id is a UUID of version 7 with its time", () => {
  const id = new OrderedUuids().next(at);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(at.getTime());
});

test("a clock that is set back does not change the order", () => {
  const uuids = new OrderedUuids();
  const first = uuids.next(at);
  const earlier = uuids.next(new Date(at.getTime() - 60_000));
  const later = uuids.next(new Date(at.getTime() + 1));
  expect([earlier, later, first].toSorted()).toEqual([first, earlier, later]);
});

test("ids begin after a given number", () => {
  const uuids = new OrderedUuids();
  const taken = uuidNumber(new OrderedUuids().next(new Date(at.getTime() + 60_000)));
  uuids.begin(taken);
  expect(uuidNumber(uuids.next(at))).toBeGreaterThan(taken);
});

test("every clock gives a valid id with a number", () => {
  const uuids = new OrderedUuids();
  for (const time of ["1970-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "9999-12-31T00:00:00Z"]) {
    const ids = [uuids.next(new Date(time)), uuids.next(new Date(time))];
    const numbers = ids.map(uuidNumber);
    expect(numbers[0], time).toBeGreaterThan(0);
    expect(numbers[1], time).toBe((numbers[0] ?? 0) + 1);
  }
});

test.each([
  ["no text", ""],
  ["another text", "tree"],
  ["another version", "0190a000-0000-4000-8000-000000000001"],
  ["capital letters", "0190A000-0000-7000-8000-000000000001"],
  ["a time before 2020", "00000000-0001-7000-8000-000000000001"],
  ["a time that no number holds", "ffffffff-ffff-7fff-bfff-ffffffffffff"],
  ["more text after it", "0190a000-0000-7000-8000-0000000000012"],
])("%s has no number", (_what, id) => {
  expect(uuidNumber(id)).toBe(0);
});

describe("the share of a platform", () => {
  const lasting = { untilMs: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const numbers = (uuids: OrderedUuids, count: number): number[] =>
    Array.from({ length: count }, () => uuidNumber(uuids.next(at)));

  test("has no number of another share, also where it runs ahead of the clock", () => {
    const all = [0, 1, 63].map((share) => {
      const uuids = new OrderedUuids();
      if (share === 0) uuids.useCommonShare();
      else uuids.useShare(share, lasting);
      const made = numbers(uuids, 200);
      expect(made.every((number) => number % 64 === share)).toBe(true);
      expect(made).toEqual(made.toSorted((one, other) => one - other));
      return made;
    });
    expect(new Set(all.flat()).size).toBe(600);
    // The first 64 are of the millisecond.
    expect(Math.floor((all[1]?.[63] ?? 0) / 4096)).toBe(Math.floor((all[1]?.[0] ?? 0) / 4096));
  });

  test("keeps the order when it begins, changes and ends", () => {
    const uuids = new OrderedUuids();
    const [before = 0] = numbers(uuids, 1);
    uuids.useShare(5, lasting);
    const [own = 0] = numbers(uuids, 1);
    uuids.begin(own + 4096);
    uuids.useShare(3, lasting);
    const [after = 0] = numbers(uuids, 1);
    uuids.useCommonShare();
    const [last = 0] = numbers(uuids, 1);
    expect([own % 64, after % 64, last % 64]).toEqual([5, 3, 0]);
    expect([before, own, own + 4096, after, last]).toEqual(
      [last, after, own + 4096, own, before].toSorted((one, other) => one - other),
    );
  });

  test.each([
    ["the system's clock", { ...lasting, untilMs: Date.now() - 1 }],
    ["the clock of the process", { ...lasting, until: performance.now() - 1 }],
  ])("ends by %s", (_clock, lease) => {
    const uuids = new OrderedUuids();
    uuids.useShare(5, lease);
    expect(numbers(uuids, 2).map((number) => number % 64)).toEqual([0, 0]);
  });
});
