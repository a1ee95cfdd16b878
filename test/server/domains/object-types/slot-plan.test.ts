import { expect, test } from "vitest";
import { planSlots, reserveUnique } from "#server/domains/object-types/slot-plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const text = { type: "string", indexed: true } as never;
const plan = (more: object) =>
  planSlots({ slots: [], before: {}, after: {}, hasRecords: true, now, ...more } as never);
const slot = (property: string, kind: string, number: number, state = "ready") =>
  ({ property, kind, number, state }) as never;

test("a property gets the first free column of its kind", () => {
  const after = { a: text, n: { type: "number", indexed: true, unique: true } };
  expect(plan({ after, hasRecords: false }).slots).toEqual([
    { property: "a", kind: "text", number: 1, state: "ready" },
    { property: "n", kind: "number", number: 1, state: "ready" },
    { property: "n", kind: "unique", number: 1, state: "ready" },
  ]);
  expect(plan({ after }).slots.every(({ state }) => state === "building")).toBe(true);
});

test("a released column is cleared before it is free again", () => {
  const slots = [slot("a", "text", 1)];
  const cleared = plan({ slots, before: { a: text }, after: { b: text } });
  expect(cleared.slots).toEqual([
    { property: "a", kind: "text", number: 1, state: "clearing" },
    { property: "b", kind: "text", number: 2, state: "building" },
  ]);
  expect(plan({ slots, before: { a: text }, after: {}, hasRecords: false }).slots).toEqual([]);
  expect(plan({ slots, before: { a: text }, after: { a: text } }).slots).toEqual(slots);
});

test("a type has a limited number of indexed properties", () => {
  const after = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`p${index}`, text]));
  expect(plan({ after }).faults).toEqual([
    {
      pointer: "#/properties/p16/indexed",
      detail: "is one too many: a type has at most 16 indexed properties that hold text",
    },
  ]);
});

test("a reserved column stays with its process until its time", () => {
  const { slots } = reserveUnique([], ["a"], new Date(now.getTime() + 1_000));
  expect(slots).toEqual([
    expect.objectContaining({ kind: "unique", state: "building", number: 1 }),
  ]);
  expect(plan({ slots }).slots).toEqual(slots);
  expect(plan({ slots, now: new Date(now.getTime() + 2_000) }).slots).toMatchObject([
    { state: "clearing" },
  ]);
  const filled = { slots, after: { a: { type: "string", unique: true } }, filled: new Set(["a"]) };
  expect(plan(filled).slots).toEqual([
    { property: "a", kind: "unique", number: 1, state: "ready" },
  ]);
  expect(reserveUnique([], ["a", "b", "c", "d", "e"], undefined).faults).toHaveLength(1);
});
