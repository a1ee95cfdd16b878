import { alertRoutes } from "./events/alerts.ts";
import { appRoutes } from "./apps/apps.ts";
import { archiveRoutes } from "./workspaces/archives.ts";
import { auditRoutes } from "./workspaces/audit.ts";
import { capabilityRoutes } from "./access/capabilities.ts";
import { chatRoutes } from "./documents/chat.ts";
import { classifierRoutes } from "./documents/classifiers.ts";
import { understandingRoutes } from "./documents/content-understanding.ts";
import { documentTypeRoutes } from "./documents/document-types.ts";
import { documentRoutes } from "./documents/documents.ts";
import { factorRoutes } from "./access/factors.ts";
import { geoCollectionRoutes } from "./geo/collections.ts";
import { geoDatasetRoutes } from "./geo/datasets.ts";
import { geoFeatureRoutes } from "./geo/features.ts";
import { geoReportRoutes } from "./geo/reports.ts";
import { geoRoutes } from "./resources/geo.ts";
import { groupRuleRoutes } from "./access/group-rules.ts";
import { healthRoutes } from "./platform/health.ts";
import { identityRoutes } from "./access/identity.ts";
import { idpAppRoutes } from "./apps/idp-apps.ts";
import { keyRoutes } from "./access/keys.ts";
import { markRoutes } from "./access/marks.ts";
import { memberRoutes } from "./access/members.ts";
import { objectTypeRoutes } from "./object-types/object-types.ts";
import { reviewRoutes } from "./documents/reviews.ts";
import { quotaRoutes } from "./workspaces/quotas.ts";
import { realtimeRoutes } from "./platform/realtime.ts";
import { importRoutes } from "./resources/imports.ts";
import { resourceRoutes } from "./resources/resources.ts";
import { starterTemplateRoutes } from "./workspaces/starter-templates.ts";
import { storageRoutes } from "./workspaces/storage.ts";
import { verticalRoutes } from "./apps/verticals.ts";
import { webhookSourceRoutes } from "./events/webhook-sources.ts";
import { webhookRoutes } from "./events/webhooks.ts";
import { workflowRoutes } from "./apps/workflows.ts";
import { workspaceRemovalRoutes } from "./workspaces/workspace-removal.ts";
import { workspaceRoutes } from "./workspaces/workspaces.ts";

/** The v4 interface: every route, by domain. */
export const routes = {
  health: healthRoutes,
  identity: identityRoutes,
  factors: factorRoutes,
  marks: markRoutes,
  workspaces: workspaceRoutes,
  workspaceRemoval: workspaceRemovalRoutes,
  starterTemplates: starterTemplateRoutes,
  members: memberRoutes,
  keys: keyRoutes,
  groupRules: groupRuleRoutes,
  idpApps: idpAppRoutes,
  capabilities: capabilityRoutes,
  objectTypes: objectTypeRoutes,
  resources: resourceRoutes,
  imports: importRoutes,
  storage: storageRoutes,
  documents: documentRoutes,
  contentUnderstanding: understandingRoutes,
  documentTypes: documentTypeRoutes,
  reviews: reviewRoutes,
  classifiers: classifierRoutes,
  chat: chatRoutes,
  apps: appRoutes,
  workflows: workflowRoutes,
  audit: auditRoutes,
  archives: archiveRoutes,
  quotas: quotaRoutes,
  geo: geoRoutes,
  geoDatasets: geoDatasetRoutes,
  geoFeatures: geoFeatureRoutes,
  geoCollections: geoCollectionRoutes,
  geoReports: geoReportRoutes,
  alerts: alertRoutes,
  realtime: realtimeRoutes,
  webhookSources: webhookSourceRoutes,
  webhooks: webhookRoutes,
  verticals: verticalRoutes,
};
export type Routes = typeof routes;
export type Domain = keyof Routes;
