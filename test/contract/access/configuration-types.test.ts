import { expect, test } from "vitest";
import { configurationTypes, isConfigurationType } from "#contract/access/configuration-types.ts";

test("the five types of the specification are configuration, and no other one is", () => {
  const slugs = Object.values(configurationTypes);
  expect(slugs).toHaveLength(5);
  expect(slugs.every(isConfigurationType)).toBe(true);
  expect(isConfigurationType("planning-application")).toBe(false);
  expect(isConfigurationType("workflow")).toBe(false);
});
