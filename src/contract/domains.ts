import type { Domain, Routes } from "./index.ts";

/** The routes of each domain, loaded separately: a command builds one domain's schemas only. */
export const domains: { readonly [Name in Domain]: () => Promise<Routes[Name]> } = {
  health: async () => (await import("./platform/health.ts")).healthRoutes,
  identity: async () => (await import("./access/identity.ts")).identityRoutes,
  factors: async () => (await import("./access/factors.ts")).factorRoutes,
  workspaces: async () => (await import("./workspaces/workspaces.ts")).workspaceRoutes,
  workspaceRemoval: async () =>
    (await import("./workspaces/workspace-removal.ts")).workspaceRemovalRoutes,
  starterTemplates: async () =>
    (await import("./workspaces/starter-templates.ts")).starterTemplateRoutes,
  members: async () => (await import("./access/members.ts")).memberRoutes,
  keys: async () => (await import("./access/keys.ts")).keyRoutes,
  groupRules: async () => (await import("./access/group-rules.ts")).groupRuleRoutes,
  idpApps: async () => (await import("./apps/idp-apps.ts")).idpAppRoutes,
  capabilities: async () => (await import("./access/capabilities.ts")).capabilityRoutes,
  objectTypes: async () => (await import("./object-types/object-types.ts")).objectTypeRoutes,
  resources: async () => (await import("./resources/resources.ts")).resourceRoutes,
  storage: async () => (await import("./workspaces/storage.ts")).storageRoutes,
  documents: async () => (await import("./documents/documents.ts")).documentRoutes,
  contentUnderstanding: async () =>
    (await import("./documents/content-understanding.ts")).understandingRoutes,
  documentTypes: async () => (await import("./documents/document-types.ts")).documentTypeRoutes,
  reviews: async () => (await import("./documents/reviews.ts")).reviewRoutes,
  classifiers: async () => (await import("./documents/classifiers.ts")).classifierRoutes,
  chat: async () => (await import("./documents/chat.ts")).chatRoutes,
  apps: async () => (await import("./apps/apps.ts")).appRoutes,
  quotas: async () => (await import("./workspaces/quotas.ts")).quotaRoutes,
  geo: async () => (await import("./resources/geo.ts")).geoRoutes,
  audit: async () => (await import("./workspaces/audit.ts")).auditRoutes,
  workflows: async () => (await import("./apps/workflows.ts")).workflowRoutes,
  alerts: async () => (await import("./events/alerts.ts")).alertRoutes,
  realtime: async () => (await import("./platform/realtime.ts")).realtimeRoutes,
  webhookSources: async () => (await import("./events/webhook-sources.ts")).webhookSourceRoutes,
  webhooks: async () => (await import("./events/webhooks.ts")).webhookRoutes,
  verticals: async () => (await import("./apps/verticals.ts")).verticalRoutes,
};
