import type { ImportUses } from "../../domains/archives/import/import-uses.ts";
import { Archives } from "../../domains/archives/service.ts";
import type { PlatformBase } from "../../domains/base.ts";
import { GeoDatasets } from "../../domains/geo/datasets/service.ts";
import type { ObjectTypeService } from "../../domains/object-types/service.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import type { Quotas } from "../../domains/quotas/service.ts";
import { WebhookSources } from "../../domains/webhook-sources/service.ts";

/** The services whose jobs take calls and files in, or give a workspace out. */
export function createReceivers(
  base: PlatformBase,
  accounts: Parameters<typeof WebhookSources.begin>[1],
  {
    objectTypes,
    readQuota,
  }: { readonly objectTypes: ObjectTypeService; readonly readQuota: Quotas["read"] },
) {
  const webhookSources = WebhookSources.begin(base, accounts);
  const work = base.platformWork("the quota of an import");
  const geoDatasets = GeoDatasets.begin(base, {
    objectTypes,
    async roomFor(workspaceId) {
      const { quota, usage } = await readQuota(work.within(workspaceId), workspaceId);
      return quota.records === null ? Infinity : Math.max(0, quota.records - usage.records);
    },
  });
  const archives = new Archives(base);
  return {
    services: { webhookSources, geoDatasets, archives },
    kinds: { ...webhookSources.kinds, ...geoDatasets.kinds, ...archives.kinds },
    /** Starts due jobs after the commit of what was received. */
    runWith(jobs: JobRunner, uses: Omit<ImportUses, "webhookSources" | "readQuota">): void {
      webhookSources.wakeWith(() => jobs.wake());
      geoDatasets.imports.runWith(jobs);
      archives.imports.storeWith({ ...uses, webhookSources, readQuota });
      archives.runWith(jobs);
    },
  };
}
