import { expect, test } from "vitest";
import { orderedUuids } from "#lib/ordered-uuid.ts";

const at = new Date("2026-11-21T09:00:00.000Z");

test("ids of one millisecond are in the order of their making, whoever else makes ids", () => {
  const next = orderedUuids();
  const other = orderedUuids();
  const ids = Array.from({ length: 10_000 }, (_, index) => {
    other(new Date(at.getTime() + index));
    return next(at);
  });
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(10_000);
});

test("a later millisecond comes later, and an earlier one still has its own time", () => {
  const next = orderedUuids();
  const first = next(at);
  const later = next(new Date(at.getTime() + 1));
  const earlier = next(new Date(at.getTime() - 1));
  expect([later, first, earlier].toSorted()).toEqual([earlier, first, later]);
});

test("an id is a UUID of version 7 that holds its time", () => {
  const id = orderedUuids()(at);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(at.getTime());
});
