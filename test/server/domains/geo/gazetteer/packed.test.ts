import { expect, test } from "vitest";
import {
  integerPlanes,
  integersOf,
  NumberReader,
  NumberWriter,
} from "#server/domains/geo/gazetteer/packed.ts";

const numbers = [0, 1, -1, 63, -64, 64, 16_777_215, -16_777_216, 2_147_483_647, -2_147_483_648];

test("integers are the same after planes", () => {
  expect([...integersOf(integerPlanes(numbers))]).toEqual(numbers);
});

test("numbers are the same after groups of seven bits", () => {
  const writer = new NumberWriter();
  for (const number of numbers) writer.put(number);
  const reader = new NumberReader(writer.bytes);
  expect(numbers.map(() => reader.next())).toEqual(numbers);
  expect(reader.isAtEnd).toBe(true);
});
