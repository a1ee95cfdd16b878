import { alertHandlers } from "../domains/alerts/routes.ts";
import { appHandlers } from "../domains/apps/routes.ts";
import { archiveHandlers } from "../domains/archives/routes.ts";
import { auditHandlers } from "../domains/audit/routes.ts";
import { capabilityHandlers } from "../domains/capabilities/routes.ts";
import { chatHandlers } from "../domains/chat/routes.ts";
import { classifierHandlers } from "../domains/classifiers/routes.ts";
import { understandingHandlers } from "../domains/content-understanding/routes.ts";
import { documentTypeHandlers } from "../domains/document-types/routes.ts";
import { documentHandlers } from "../domains/documents/routes.ts";
import { factorHandlers } from "../domains/factors/routes.ts";
import { geoCollectionHandlers } from "../domains/geo/collections/routes.ts";
import { geoDatasetHandlers, geoFeatureHandlers } from "../domains/geo/datasets/routes.ts";
import { geoReportHandlers } from "../domains/geo/reports/routes.ts";
import { geoHandlers } from "../domains/geo/routes.ts";
import { healthHandlers } from "../domains/health/routes.ts";
import { identityHandlers } from "../domains/identity/routes.ts";
import { idpAppHandlers } from "../domains/idp-apps/routes.ts";
import { groupRuleHandlers } from "../domains/members/group-rules/routes.ts";
import { keyHandlers } from "../domains/members/keys/routes.ts";
import { memberHandlers } from "../domains/members/routes.ts";
import { objectTypeHandlers } from "../domains/object-types/routes.ts";
import { quotaHandlers, type PlatformPulse } from "../domains/quotas/routes.ts";
import { markHandlers } from "../domains/marks/routes.ts";
import { realtimeHandlers } from "../domains/realtime/routes.ts";
import { importHandlers } from "../domains/records/imports/routes.ts";
import { resourceHandlers } from "../domains/records/routes.ts";
import { reviewHandlers } from "../domains/reviews/routes.ts";
import { starterTemplateHandlers } from "../domains/starter-templates/routes.ts";
import { storageHandlers } from "../domains/storage/routes.ts";
import { verticalHandlers } from "../domains/verticals/routes.ts";
import { Verticals } from "../domains/verticals/service.ts";
import { webhookSourceHandlers } from "../domains/webhook-sources/routes.ts";
import { webhookHandlers } from "../domains/webhooks/routes.ts";
import { workflowHandlers } from "../domains/workflows/routes.ts";
import { workspaceRemovalHandlers } from "../domains/workspaces/removal-routes.ts";
import { workspaceHandlers } from "../domains/workspaces/routes.ts";
import type { Handlers } from "../http/handler.ts";
import type { RequestCounts } from "../kit/turns/request-counts.ts";
import type { Services } from "./services.ts";

/**
 * The handlers of every route; a missing domain does not compile. `fetch` answers requests that a
 * route makes in the name of its caller.
 */
export function handlersOf(
  services: Services,
  fetch: (request: Request) => Promise<Response>,
  calls: {
    readonly counts: RequestCounts;
    readonly now: () => Date;
    readonly pulse: PlatformPulse;
  },
): Handlers {
  const { resources: records, objectTypes } = services;
  services.webhookSources.processing.open(fetch);
  const verticals = new Verticals({ records, objectTypes, fetch });
  return {
    health: healthHandlers(services),
    identity: identityHandlers(services),
    factors: factorHandlers(services),
    workspaces: workspaceHandlers(services),
    workspaceRemoval: workspaceRemovalHandlers(services),
    starterTemplates: starterTemplateHandlers(services),
    marks: markHandlers(services),
    members: memberHandlers(services),
    keys: keyHandlers(services),
    groupRules: groupRuleHandlers(services),
    idpApps: idpAppHandlers(services),
    capabilities: capabilityHandlers(services),
    objectTypes: objectTypeHandlers(services),
    resources: resourceHandlers(services),
    imports: importHandlers(services),
    storage: storageHandlers(services),
    documents: documentHandlers(services),
    contentUnderstanding: understandingHandlers(services),
    documentTypes: documentTypeHandlers(services),
    reviews: reviewHandlers(services),
    classifiers: classifierHandlers(services),
    chat: chatHandlers(services),
    apps: appHandlers(services),
    workflows: workflowHandlers(services),
    audit: auditHandlers(services),
    archives: archiveHandlers(services),
    quotas: quotaHandlers({ ...services, pulse: calls.pulse }),
    geo: geoHandlers(services),
    geoDatasets: geoDatasetHandlers(services),
    geoFeatures: geoFeatureHandlers(services),
    geoCollections: geoCollectionHandlers(services, calls.now),
    geoReports: geoReportHandlers(services),
    alerts: alertHandlers(services),
    realtime: realtimeHandlers(services),
    webhookSources: webhookSourceHandlers({ ...services, ...calls }),
    webhooks: webhookHandlers(services),
    verticals: verticalHandlers({ verticals }),
  };
}
