import { setQuota } from "#server/platform/maintenance/quota.ts";
import { eventually } from "./eventually.ts";
import type { TestPlatform } from "./platform.ts";

/**
 * Sets limits of a workspace as the operator's command does. Another process waits for the writes
 * of the platform; within this one the platform may hold up the thread until the write is refused.
 */
export function storeQuota(
  { dataDirectory, databaseUrl }: Pick<TestPlatform, "dataDirectory" | "databaseUrl">,
  workspace: string,
  changes: Parameters<typeof setQuota>[2],
): ReturnType<typeof setQuota> {
  return eventually(() => setQuota({ dataDirectory, databaseUrl }, workspace, changes));
}
