import { expect, test } from "vitest";
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
