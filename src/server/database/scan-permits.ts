import { Permits } from "../kit/turns/permits.ts";
import type { ScanOptions } from "./database.ts";

/** Scans at the same time; each keeps a processor busy. */
export const scanCount = 3;

/** The wait of a scan whose own limit is shorter. */
const usualWaitMs = 4_000;
/** A scan that has waited for most of its time gets this time, or its limit if that is shorter. */
const leastRunMs = 1_000;

/** The permits of one database's scans; the shares are those of workspaces. */
export function scanPermits(queueLimit: number): Permits {
  const limit = Math.min(1_000, queueLimit);
  return new Permits({
    count: scanCount,
    countPerShare: scanCount - 1,
    queueLimit: limit,
    queueLimitPerShare: Math.ceil(limit / 2),
    queueLimitPerCaller: Math.ceil(limit / 8),
    waitLimitMs: usualWaitMs,
  });
}

/**
 * Waits for the permit of a scan. The wait and the scan of a search have the time of the search
 * together: a shorter wait would refuse a search that could still be answered.
 */
export async function scanTurn(
  permits: Permits,
  { share, signal }: ScanOptions,
  caller: string,
  limitMs: number,
): Promise<{ readonly release: () => void; readonly timeLimitMs: number }> {
  const askedAt = performance.now();
  const waitMs = Math.max(usualWaitMs, limitMs);
  const release = await permits.take(share, signal, caller, waitMs);
  const leftMs = Math.ceil(limitMs - Math.max(0, performance.now() - askedAt));
  return { release, timeLimitMs: Math.max(Math.min(limitMs, leastRunMs), leftMs) };
}
