import type { Role } from "./roles.ts";

/**
 * Object Types whose records configure a workspace's workflows and apps (spec 2.9). Commands import
 * this file at start-up: no schema library.
 */
export const configurationTypes = {
  workflow: "shared-workflow-config",
  /** Binds a workflow to an app. */
  binding: "vertical-product-config",
  aiProfile: "shared-ai-profile",
  chatbot: "shared-chatbot-config",
  enrollment: "tenant-vertical-enrollment",
} as const;

const slugs: ReadonlySet<string> = new Set(Object.values(configurationTypes));

/** The role that changes records of a configuration type; it is the one that changes workflows. */
export const configurationRole: Role = "tenant-builder";

export function isConfigurationType(slug: string): boolean {
  return slugs.has(slug);
}
