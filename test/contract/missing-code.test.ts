import { expect, test } from "vitest";
import { namesMissing } from "#contract/missing-code.ts";

test.each([
  ["not-found", true],
  ["workspace-not-found", true],
  // The deployment has no such route.
  ["route-not-found", false],
  // Other deployments have codes in other forms.
  ["NotFound", false],
  ["404", false],
  [404, false],
  [undefined, false],
])("the code %j says that the route found nothing: %j", (code, expected) => {
  expect(namesMissing(code)).toBe(expected);
});
