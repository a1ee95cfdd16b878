import { expect, test } from "vitest";
import { abortOutcomeOf, noteAbortOutcome } from "#lib/time/abort-outcome.ts";

test("an outcome is found by its own abort reason", () => {
  const [reason, other] = [new Error("stopped"), new Error("stopped")];
  noteAbortOutcome(reason, "the outcome is unknown");
  noteAbortOutcome(other, undefined);
  noteAbortOutcome("text", "words");
  expect(abortOutcomeOf(reason)).toBe("the outcome is unknown");
  expect([abortOutcomeOf(other), abortOutcomeOf("text"), abortOutcomeOf(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
