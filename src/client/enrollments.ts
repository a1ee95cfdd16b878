import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";

/** The Object Type of app enrollments (spec 2.9). */
export const enrollmentType = configurationTypes.enrollment;

/** An app as its record names it; deployments differ in the names of the properties. */
export interface Enrollment {
  readonly id: string;
  readonly key: string;
  readonly displayName: string | undefined;
  readonly status: string | undefined;
  readonly template: string | undefined;
  readonly source: string | undefined;
  readonly appUrl: string | undefined;
  readonly runtimeTenantId: string | undefined;
}

export function textIn(data: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = data[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The key in the record of a workflow (`shared-workflow-config`). */
export function workflowKeyOf(data: JsonObject): string | undefined {
  return textIn(data, "workflow_key", "workflowKey", "key");
}

export function enrollmentOf({ id, data }: Resource): Enrollment {
  return {
    id,
    key: textIn(data, "vertical_key", "verticalKey", "app_key", "appKey", "key") ?? id,
    displayName: textIn(data, "display_name", "displayName", "name"),
    status: textIn(data, "status"),
    template: textIn(data, "template", "starter_template"),
    source: textIn(data, "source"),
    appUrl: textIn(data, "app_url", "appUrl"),
    runtimeTenantId: textIn(data, "runtime_tenant_id", "runtimeTenantId", "targetTenantId"),
  };
}
