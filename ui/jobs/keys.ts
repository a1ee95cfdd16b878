import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, row, staff } from "../kit/keys/reasons.ts";
import type { ShellKeys, TextFacts } from "../shell/keys.ts";

export interface JobFacts extends TextFacts {
  readonly jobStatus?: string | undefined;
}

function jobIn(statuses: readonly string[], verb: string) {
  return because(({ jobStatus }: JobFacts) =>
    jobStatus === undefined || statuses.includes(jobStatus)
      ? undefined
      : `a job that is ${jobStatus} can't be ${verb}`,
  );
}

const stopped = jobIn(["failed", "cancelled", "interrupted", "completed_with_errors"], "retried");
const moving = jobIn(["queued", "pending", "running", "interrupted"], "cancelled");

export const jobKeys = keyGroup({
  retry: key("R", "place", "retry", { footer: 32, disabledReason: firstOf(row, staff, stopped) }),
  cancelJob: key("K", "place", "cancel job", {
    footer: 33,
    disabledReason: firstOf(row, staff, moving),
  }),
  goJobs: key("3", "global", "jobs"),
});

export type JobKeys = typeof jobKeys & ShellKeys;
