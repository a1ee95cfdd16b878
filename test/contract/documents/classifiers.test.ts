import { expect, test } from "vitest";
import { classifierDefinition, configurationKey } from "#contract/documents/classifiers.ts";

const label = { key: "permit", displayName: "Permit" };
const definition = { displayName: "Permits", labels: [label] };

test("a classifier has labels with different keys", () => {
  expect(classifierDefinition.safeParse(definition).success).toBe(true);
  for (const labels of [[], [label, label], [{ ...label, key: "A B" }]]) {
    expect(classifierDefinition.safeParse({ ...definition, labels }).success).toBe(false);
  }
});

test.each([
  ["a-1", true],
  ["A", false],
  ["a--b", false],
  ["x".repeat(101), false],
])("%s is a key: %s", (key, holds) => {
  expect(configurationKey.safeParse(key).success).toBe(holds);
});
