import { expect, test } from "vitest";
import {
  charactersClassified,
  featuresOf,
  normalized,
} from "#server/text/classification/features.ts";

const valuesOf = (text: string, form?: 1 | 2) => {
  const { ids, values } = featuresOf(text, form);
  return new Map(Array.from(ids, (id, at) => [id, values[at] ?? 0]));
};

test.each([1, 2] as const)("form %i ignores case, accents and numbers' digits", (form) => {
  expect(valuesOf("Zoë paid 12", form)).toEqual(valuesOf("zoe PAID 97", form));
  expect(valuesOf("wall", form)).not.toEqual(valuesOf("tower", form));
});

test("ids are in order, and words that come again weigh more", () => {
  const { ids } = featuresOf("the wall and the tower of the wall");
  expect([...ids]).toEqual([...ids].toSorted((one, other) => one - other));
  const [once, twice] = [featuresOf("wall"), featuresOf("wall wall")];
  const largest = ({ values }: { readonly values: Float32Array }) => Math.max(...values);
  expect(largest(twice)).toBeGreaterThan(largest(once));
  expect(featuresOf("").ids).toHaveLength(0);
});

test("only the beginning of a text counts", () => {
  const beginning = "wall ".repeat(charactersClassified / 5);
  expect(valuesOf(`${beginning}tower`)).toEqual(valuesOf(beginning));
});

test("a normalized vector has length 1", () => {
  const { values } = normalized(featuresOf("a planning application for a wall"), () => 3);
  expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4);
  const none = normalized(featuresOf("wall"), () => 0);
  expect([...none.values].every((value) => value === 0)).toBe(true);
});
