import type { WorkspaceQuota } from "#contract/workspaces/quotas.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { Quotas } from "./service.ts";

/** Reports the platform's load and last backup to the members of its workspaces. */
export type PlatformPulse = () => Promise<NonNullable<WorkspaceQuota["platform"]>>;

export function quotaHandlers({
  quotas,
  pulse,
}: {
  readonly quotas: Quotas;
  readonly pulse: PlatformPulse;
}): DomainHandlers<"quotas"> {
  return {
    async read(_input, { work, workspace }) {
      const [quota, platform] = await Promise.all([quotas.read(work, workspace.id), pulse()]);
      return { ...quota, platform };
    },
  };
}
