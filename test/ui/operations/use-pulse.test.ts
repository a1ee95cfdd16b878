import { expect, it } from "vitest";
import { pulseFields } from "#ui/operations/use-pulse.ts";

const nowMs = Date.parse("2026-11-28T10:00:00Z");
const usage = { bytes: 500_000, records: 1_042, documents: 7 };
const noQuota = { bytes: null, records: null, documents: null, requests: null };

it("the figures of a workspace have its quotas, and the platform's pulse where it is known", () => {
  const platform = { requestsPerMinute: 41, lastBackupAt: "2026-11-28T08:00:00Z" };
  const of = (fields: ReturnType<typeof pulseFields>) =>
    fields.map(({ name, value }) => `${name} ${value}`);
  const quota = { ...noQuota, records: 2_000 };
  expect(of(pulseFields({ usage, quota, platform }, nowMs))).toEqual([
    "records 1,042 of 2,000",
    "documents 7",
    "storage 500.0 kB",
    "requests 41 per minute",
    "last backup 2h ago",
  ]);
  expect(of(pulseFields({ usage, quota: noQuota }, nowMs))).toHaveLength(3);
  const never = { ...platform, lastBackupAt: null };
  expect(of(pulseFields({ usage, quota, platform: never }, nowMs)).at(-1)).toBe("last backup none");
});
