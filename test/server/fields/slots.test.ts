import { expect, test } from "vitest";
import {
  indexedValues,
  isNumeric,
  isReserved,
  keysOf,
  noNumber,
  noText,
  slotColumns,
  slotIndex,
  uniqueKey,
  writtenColumns,
} from "#server/fields/slots.ts";

const slots = [
  { property: "code", kind: "unique", number: 2, state: "ready" },
  { property: "size", kind: "number", number: 1, state: "building" },
  { property: "name", kind: "text", number: 3, state: "ready" },
  { property: "old", kind: "text", number: 1, state: "clearing" },
] as never;
const properties = {
  code: { type: "string" },
  size: { type: "number" },
  name: { type: "string" },
} as never;

test("a write fills the columns that are not being cleared, in one order", () => {
  const columns = writtenColumns(slots, properties);
  expect(columns.map(({ column }) => column)).toEqual(["n1", "t3", "u2"]);
  expect(keysOf(columns, { code: "x", size: 2, name: "n" })).toEqual([2, "=n", "=x"]);
  expect(keysOf(columns, { size: "2", name: null })).toEqual([noNumber, noText, null]);
  expect(indexedValues(columns, { code: "x", name: null, other: 1 })).toEqual({ code: "x" });
});

test("keys keep kinds apart, and a missing value comes before every value", () => {
  expect(new Set(["1", 1, true, "true"].map(uniqueKey)).size).toBe(4);
  expect(noText < "=").toBe(true);
  expect(slotColumns).toHaveLength(28);
  expect(slotIndex({ kind: "text", number: 3 })).toBe("resources_t3");
});

test("an enum of numbers is numeric, and a reservation ends", () => {
  const shapes = [{ type: "integer" }, { type: "enum", enum: [1] }, { type: "enum", enum: ["1"] }];
  expect(shapes.map((shape) => isNumeric(shape as never))).toEqual([true, true, false]);
  const slot = { state: "building", reservedUntil: "2026-01-01T00:00:00.000Z" } as never;
  expect([
    isReserved(slot, new Date("2025-12-31T00:00:00Z")),
    isReserved(slot, new Date("2026-01-01T00:00:00Z")),
  ]).toEqual([true, false]);
});
