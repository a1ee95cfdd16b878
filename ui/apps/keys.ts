import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, staff, type KeyFacts } from "../kit/keys/reasons.ts";
import type { ShellKeys } from "../shell/keys.ts";

export interface WorkflowFacts extends KeyFacts {
  /** The status of the selected workflow. */
  readonly workflowStatus?: string | undefined;
}

const wanting = because(({ workflowStatus }: WorkflowFacts) =>
  workflowStatus === "available" ? "this workflow is available already" : undefined,
);

export const appKeys = keyGroup({
  provisionApp: key("P", "place", "provision", {
    footer: 30,
    disabledReason: firstOf(row, needs("apps.provision", "tenant-builder")),
  }),
  enrollApp: key("c", "place", "enroll an app", {
    footer: 31,
    disabledReason: needs("apps.create", "tenant-builder"),
  }),
  readProvisioning: key("i", "place", "read a job by its id", { footer: 32, disabledReason: row }),
  requestWorkflow: key("a", "place", "request it", {
    footer: 30,
    disabledReason: firstOf(row, wanting, staff),
  }),
  requestOther: key("c", "place", "request another", { footer: 31, disabledReason: staff }),
  goApps: key("7", "global", "apps"),
});

export type AppKeys = typeof appKeys & ShellKeys;
