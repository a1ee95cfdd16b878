import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import { counted } from "#lib/text/counted.ts";
import { sparkText } from "../kit/text/spark.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { ageWords, countWords, progressBar, sizeWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";
import {
  headingRow,
  homeRow,
  unansweredRows,
  wordsRow,
  type HomePart,
  type HomeRow,
} from "../shell/home/home-rows.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { usePlatformLink } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import { useQuota } from "./use-pulse.ts";

const barWidth = 6;

/** The bytes of the workspace, and their share of its quota. */
function storageRow({ quota, usage }: WorkspaceQuota, open: () => void): HomeRow {
  const share = quota.bytes === null ? undefined : usage.bytes / Math.max(1, quota.bytes);
  return homeRow({
    id: "platform storage",
    left: [{ text: "   storage" }],
    right: [
      { text: ` ${sizeWords(usage.bytes)} ` },
      ...(share === undefined
        ? []
        : [
            {
              text: `${progressBar(share, barWidth)} `,
              as: share > 0.9 ? "warn" : "focus",
            } as const,
          ]),
    ],
    open,
    command: [["workspace", "quota"]],
  });
}

/** The rate of requests and the age of the last backup, where the platform reports them. */
function pulseRow(
  { requestsPerMinute: rate, lastBackupAt: backup }: NonNullable<WorkspaceQuota["platform"]>,
  nowMs: number,
  open: () => void,
): HomeRow[] {
  const left = rate === undefined ? "" : `   ${countWords(rate)} req/min`;
  const right =
    backup === undefined ? "" : backup === null ? "no backup" : `backup ${ageWords(backup, nowMs)}`;
  if (left === "" && right === "") return [];
  return [
    homeRow({
      id: "platform pulse",
      left: [{ text: left }],
      right: [{ text: ` ${right} `, as: backup === null ? "quiet" : "text" }],
      open,
      command: [["workspace", "quota"]],
    }),
  ];
}

/** The platform's health, the recent times of its answers, its failures, and the storage. */
export function usePlatformHome(): HomePart {
  const { go } = useRouter();
  const { meter } = usePlatformLink();
  const { value, failure } = useHealth();
  const { value: quota } = useQuota();
  const nowMs = useAgeTime(quota);
  const open = () => go({ place: "operations" });
  if (value === undefined) return { rows: unansweredRows("Platform", failure) };
  const { recentMs, failures } = meter.figures();
  const { glyph, token } = statusLook(value.status);
  const heading = headingRow("Platform", {
    id: "platform",
    right: [
      { text: ` ${glyph} ${value.status} `, as: token },
      { text: `${sparkText(recentMs)} `, as: "focus" },
    ],
    open,
    command: [["verify"]],
  });
  const unwell = Object.entries(value.components ?? {}).filter(([, { status }]) => status !== "ok");
  const parts = unwell.map(([name, { status, detail = "" }]) => {
    const look = statusLook(status);
    const text = `   ${look.glyph} ${name} ${status}  ${detail}`;
    return homeRow({ id: `part ${name}`, left: [{ text, as: look.token }], open });
  });
  const warnings = (value.warnings ?? []).map((text, index) =>
    homeRow({ id: `warning ${index}`, left: [{ text: `   ▲ ${text}`, as: "warn" }], open }),
  );
  const failed =
    failures === 0
      ? []
      : [wordsRow("failures", `✗ ${counted(failures, "failed request")} in 15 minutes`, "bad")];
  const storage = quota === undefined ? [] : [storageRow(quota, open)];
  const pulse = quota?.platform === undefined ? [] : pulseRow(quota.platform, nowMs, open);
  return { rows: [heading, ...parts, ...warnings, ...failed, ...pulse, ...storage] };
}
