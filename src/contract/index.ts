import { appRoutes } from "./apps.ts";
import { auditRoutes } from "./audit.ts";
import { capabilityRoutes } from "./capabilities.ts";
import { chatRoutes } from "./chat.ts";
import { classifierRoutes } from "./classifiers.ts";
import { understandingRoutes } from "./content-understanding.ts";
import { documentTypeRoutes } from "./document-types.ts";
import { documentRoutes } from "./documents.ts";
import { factorRoutes } from "./factors.ts";
import { geoRoutes } from "./geo.ts";
import { groupRuleRoutes } from "./group-rules.ts";
import { healthRoutes } from "./health.ts";
import { identityRoutes } from "./identity.ts";
import { idpAppRoutes } from "./idp-apps.ts";
import { keyRoutes } from "./keys.ts";
import { memberRoutes } from "./members.ts";
import { objectTypeRoutes } from "./object-types.ts";
import { reviewRoutes } from "./reviews.ts";
import { quotaRoutes } from "./quotas.ts";
import { resourceRoutes } from "./resources.ts";
import { starterTemplateRoutes } from "./starter-templates.ts";
import { storageRoutes } from "./storage.ts";
import { workflowRoutes } from "./workflows.ts";
import { workspaceRemovalRoutes } from "./workspace-removal.ts";
import { workspaceRoutes } from "./workspaces.ts";

/** The v4 interface: every route, by domain. */
export const routes = {
  health: healthRoutes,
  identity: identityRoutes,
  factors: factorRoutes,
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
  quotas: quotaRoutes,
  geo: geoRoutes,
};
export type Routes = typeof routes;
export type Domain = keyof Routes;
