import { expect, test } from "vitest";
import { RepeatedFailures } from "#server/kit/background.ts";
import type { LogEvent } from "#server/kit/logger.ts";
import { ReadOnlyError } from "#server/kit/storage-errors.ts";

test("repeated work on a read-only database is logged once, until it succeeds", () => {
  const logged: string[] = [];
  const logger = {
    error: ({ error }: LogEvent) => void logged.push(`error ${String(error)}`),
    warn: ({ error }: LogEvent) => void logged.push(`warn ${String(error)}`),
  };
  const failures = new RepeatedFailures(logger, "audit-write-failed");
  for (let attempt = 0; attempt < 3; attempt += 1) failures.failed(new ReadOnlyError());
  expect(logged).toEqual([expect.stringContaining("warn ReadOnlyError")]);
  failures.failed(new Error("the disk has gone"));
  failures.failed(new Error("the disk has gone"));
  expect(logged).toHaveLength(3);
  failures.succeeded();
  failures.failed(new ReadOnlyError());
  expect(logged.at(-1)).toMatch(/^warn/);
});
