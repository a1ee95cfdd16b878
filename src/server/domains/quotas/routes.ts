import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { Quotas } from "./service.ts";

/** Reports the platform's load and last backup to its administrators. */
export type PlatformPulse = () => Promise<NonNullable<WorkspaceQuota["platform"]>>;

export function quotaHandlers({
  quotas,
  pulse,
}: {
  readonly quotas: Quotas;
  readonly pulse: PlatformPulse;
}): DomainHandlers<"quotas"> {
  return {
    async read(_input, { work, workspace, principal }) {
      const quota = await quotas.read(work, workspace.id);
      return principal.systemAdmin ? { ...quota, platform: await pulse() } : quota;
    },
  };
}
