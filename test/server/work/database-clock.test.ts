import { expect, test } from "vitest";
import { DatabaseClock } from "#server/work/database-clock.ts";

async function ahead(databaseMs: number, dialect = "postgresql"): Promise<number> {
  const clock = new DatabaseClock({ systemMs: () => 1_000_000 });
  const reader = { dialect, first: () => Promise.resolve({ ms: databaseMs }) };
  const lifetime = { every: () => undefined };
  await clock.follow(reader as never, lifetime as never);
  return clock.now().getTime() - 1_000_000;
}

test("the time is the database's where it differs by more than 100 ms", async () => {
  expect(await ahead(1_060_000)).toBeGreaterThan(59_990);
  expect(await ahead(940_000)).toBeLessThan(-59_000);
  expect(await ahead(1_000_050)).toBe(0);
  expect(await ahead(2_000_000, "sqlite")).toBe(0);
});

test("the platform's own time is moved too", () => {
  const clock = new DatabaseClock({ now: () => new Date(5) });
  expect(clock.now()).toEqual(new Date(5));
});
