import { expect, test } from "vitest";
import { PlaceFailures } from "#ui/shell/platform/feed/place-failures.ts";

test("failures are counted by place until the user looks at it", () => {
  const failures = new PlaceFailures();
  failures.add("jobs", "one");
  failures.add("jobs", "two");
  failures.add("jobs", "two");
  failures.add("alerts", "three");
  expect(failures.counts.get()).toEqual({ jobs: 2, alerts: 1 });
  failures.see("jobs");
  expect(failures.counts.get()).toEqual({ alerts: 1 });
  const before = failures.counts.get();
  failures.see("jobs");
  expect(failures.counts.get()).toBe(before);
});

test("a failure that exists counts until it is seen, and again after it has come back", () => {
  const failures = new PlaceFailures();
  failures.see("home");
  expect(failures.stand("endpoints", "webhooks", new Set(["a", "b"]))).toEqual(["a", "b"]);
  failures.add("webhooks", "w");
  expect(failures.counts.get()).toEqual({ webhooks: 3 });
  failures.see("webhooks");
  expect(failures.counts.get()).toEqual({});
  failures.add("webhooks", "w");
  expect(failures.stand("endpoints", "webhooks", new Set(["a", "c"]))).toEqual(["c"]);
  expect(failures.counts.get()).toEqual({});
  failures.see("home");
  failures.stand("endpoints", "webhooks", new Set(["a"]));
  expect(failures.counts.get()).toEqual({});
  failures.stand("endpoints", "webhooks", new Set(["a", "c"]));
  expect(failures.counts.get()).toEqual({ webhooks: 1 });
  failures.clear();
  expect(failures.counts.get()).toEqual({});
});

test("what is well again has no badge", () => {
  const failures = new PlaceFailures();
  failures.see("home");
  failures.add("jobs", "one");
  failures.add("jobs", "two");
  failures.recover("one");
  failures.recover("unknown");
  expect(failures.counts.get()).toEqual({ jobs: 1 });
  failures.stand("endpoints", "webhooks", new Set(["a"]));
  expect(failures.isStanding("endpoints")).toBe(true);
  failures.stand("endpoints", "webhooks", new Set());
  expect(failures.isStanding("endpoints")).toBe(false);
  expect(failures.counts.get()).toEqual({ jobs: 1 });
});

test("the oldest of very many reported failures are forgotten", () => {
  const failures = new PlaceFailures();
  for (let at = 0; at < 2_000; at += 1) failures.add("jobs", `job ${at}`);
  expect(failures.counts.get()).toEqual({ jobs: 500 });
});
