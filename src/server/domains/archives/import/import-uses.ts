import type { Database } from "../../../database/database.ts";
import type { SearchWords } from "../../../search-index/word-list.ts";
import type { Alerts } from "../../alerts/service.ts";
import type { PlatformBase } from "../../base.ts";
import type { RoleDefinitions } from "../../members/service.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import type { Quotas } from "../../quotas/service.ts";
import type { ResourceService } from "../../records/service.ts";
import type { WebhookSources } from "../../webhook-sources/service.ts";
import type { Webhooks } from "../../webhooks/service.ts";

/** The services that store what an archive has. */
export interface ImportUses {
  readonly objectTypes: ObjectTypeService;
  readonly records: ResourceService;
  readonly words: SearchWords;
  readonly roles: RoleDefinitions;
  readonly webhooks: Pick<Webhooks, "endpoints">;
  readonly webhookSources: Pick<WebhookSources, "sources">;
  readonly alerts: Pick<Alerts, "rules">;
  /** Reads the quota of a workspace with what it uses. */
  readonly readQuota: Quotas["read"];
}

export type ImportBase = Pick<PlatformBase, "blobs" | "removals" | "now"> & {
  readonly ids: Database["ids"];
};
