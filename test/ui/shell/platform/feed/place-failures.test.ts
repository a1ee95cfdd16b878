import { expect, test } from "vitest";
import { PlaceFailures } from "#ui/shell/platform/feed/place-failures.ts";

test("failures are counted by place until the user looks at it", () => {
  const failures = new PlaceFailures();
  failures.add("jobs");
  failures.add("jobs");
  failures.add("alerts");
  expect(failures.counts.get()).toEqual({ jobs: 2, alerts: 1 });
  failures.see("jobs");
  expect(failures.counts.get()).toEqual({ alerts: 1 });
  const before = failures.counts.get();
  failures.see("jobs");
  expect(failures.counts.get()).toBe(before);
});
