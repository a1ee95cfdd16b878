import { Permits } from "../kit/turns/permits.ts";

/** Scans at the same time; each keeps a processor busy. */
export const scanCount = 3;

/** The permits of one database's scans; the shares are those of workspaces. */
export function scanPermits(queueLimit: number): Permits {
  const limit = Math.min(1_000, queueLimit);
  return new Permits({
    count: scanCount,
    countPerShare: scanCount - 1,
    queueLimit: limit,
    queueLimitPerShare: Math.ceil(limit / 2),
    queueLimitPerCaller: Math.ceil(limit / 8),
    // This and the scan's own limit are less than the silence after which a server disconnects.
    waitLimitMs: 4_000,
  });
}
