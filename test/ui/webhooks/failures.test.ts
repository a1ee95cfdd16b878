import { expect, test } from "vitest";
import { isFailing } from "#ui/webhooks/failures.ts";

test.each([
  [{ status: "active", consecutiveFailures: 0 }, false],
  [{ status: "active", consecutiveFailures: 2 }, true],
  [{ status: "disabled", disabledReason: "gone" }, true],
  [{ status: "disabled", disabledReason: "request", consecutiveFailures: 4 }, false],
  [{ status: "disabled", disabledReason: "imported" }, false],
  [{}, false],
])("an endpoint with %j fails: %s", (members, expected) => {
  expect(isFailing({ id: "w", url: null, ...members })).toBe(expected);
});
