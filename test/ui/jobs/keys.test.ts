import { expect, test } from "vitest";
import { jobKeys } from "#ui/jobs/keys.ts";

test.each([
  ["failed", undefined, "cancelled"],
  ["running", "retried", undefined],
  ["interrupted", undefined, undefined],
  ["completed", "retried", "cancelled"],
  [undefined, undefined, undefined],
])("a job that is %s", (jobStatus, retry, cancel) => {
  const reason = (verb: string | undefined) =>
    verb === undefined ? undefined : `a job that is ${jobStatus} can't be ${verb}`;
  const facts: object = { jobStatus };
  expect(jobKeys.retry.entries[0].disabledReason?.of(facts)).toBe(reason(retry));
  expect(jobKeys.cancelJob.entries[0].disabledReason?.of(facts)).toBe(reason(cancel));
});
