import type { Domain, Routes } from "./index.ts";

/** The routes of each domain, loaded separately: a command builds one domain's schemas only. */
export const domains: { readonly [Name in Domain]: () => Promise<Routes[Name]> } = {
  health: async () => (await import("./health.ts")).healthRoutes,
  identity: async () => (await import("./identity.ts")).identityRoutes,
  factors: async () => (await import("./factors.ts")).factorRoutes,
  workspaces: async () => (await import("./workspaces.ts")).workspaceRoutes,
  workspaceRemoval: async () => (await import("./workspace-removal.ts")).workspaceRemovalRoutes,
  starterTemplates: async () => (await import("./starter-templates.ts")).starterTemplateRoutes,
  members: async () => (await import("./members.ts")).memberRoutes,
  keys: async () => (await import("./keys.ts")).keyRoutes,
  groupRules: async () => (await import("./group-rules.ts")).groupRuleRoutes,
  idpApps: async () => (await import("./idp-apps.ts")).idpAppRoutes,
  capabilities: async () => (await import("./capabilities.ts")).capabilityRoutes,
  objectTypes: async () => (await import("./object-types.ts")).objectTypeRoutes,
  resources: async () => (await import("./resources.ts")).resourceRoutes,
  storage: async () => (await import("./storage.ts")).storageRoutes,
  documents: async () => (await import("./documents.ts")).documentRoutes,
  contentUnderstanding: async () =>
    (await import("./content-understanding.ts")).understandingRoutes,
  documentTypes: async () => (await import("./document-types.ts")).documentTypeRoutes,
  reviews: async () => (await import("./reviews.ts")).reviewRoutes,
  classifiers: async () => (await import("./classifiers.ts")).classifierRoutes,
  chat: async () => (await import("./chat.ts")).chatRoutes,
  apps: async () => (await import("./apps.ts")).appRoutes,
  quotas: async () => (await import("./quotas.ts")).quotaRoutes,
  geo: async () => (await import("./geo.ts")).geoRoutes,
  audit: async () => (await import("./audit.ts")).auditRoutes,
  workflows: async () => (await import("./workflows.ts")).workflowRoutes,
};
