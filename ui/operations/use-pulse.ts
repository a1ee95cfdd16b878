import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { sparkText } from "../kit/text/spark.ts";
import type { Field } from "../kit/text/styled-lines.ts";
import { ageWords, countWords, sizeWords } from "../kit/text/words.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { usePlatformLink } from "../shell/platform/use-platform.ts";

const quotaRefreshMs = 60_000;

/** The use and the quotas of the workspace, and for administrators the pulse of the platform. */
export function useQuota(): LiveAnswer<WorkspaceQuota> {
  return useAnswer<WorkspaceQuota>(
    ["quotas.read"],
    (client, signal, tenantId) =>
      client.quotas.read({ params: { tenantId: tenantId ?? "" }, signal }),
    { refreshMs: quotaRefreshMs },
  );
}

function amount(used: number, limit: number | null, words: (count: number) => string): string {
  return limit === null ? words(used) : `${words(used)} of ${words(limit)}`;
}

/** The figures of a workspace and its platform, one below the other. */
export function pulseFields(
  { usage, quota, platform }: WorkspaceQuota,
  nowMs: number,
): readonly Field[] {
  const { requestsPerMinute, lastBackupAt } = platform ?? {};
  return [
    { name: "records", value: amount(usage.records, quota.records, countWords) },
    { name: "documents", value: amount(usage.documents, quota.documents, countWords) },
    { name: "storage", value: amount(usage.bytes, quota.bytes, sizeWords) },
    ...(requestsPerMinute === undefined
      ? []
      : [{ name: "requests", value: `${countWords(requestsPerMinute)} per minute` }]),
    ...(lastBackupAt === undefined
      ? []
      : [
          {
            name: "last backup",
            value: lastBackupAt === null ? "none" : `${ageWords(lastBackupAt, nowMs)} ago`,
          },
        ]),
  ];
}

/** The times of the last answers, the failures among them, and the use of the workspace. */
export function usePulseFields(): readonly Field[] {
  const { meter } = usePlatformLink();
  const { value } = useQuota();
  const nowMs = useAgeTime(value);
  const { recentMs, failures } = meter.figures();
  const slowest = Math.round(Math.max(0, ...recentMs));
  return [
    {
      name: "last answers",
      value: `${sparkText(recentMs)}  max ${countWords(slowest)} ms, ${failures} failed`,
      as: failures === 0 ? undefined : "warn",
    },
    ...(value === undefined ? [] : pulseFields(value, nowMs)),
  ];
}
