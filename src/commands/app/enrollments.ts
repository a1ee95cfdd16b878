import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { Resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";

/** The Object Type of app enrollments (spec 2.9). */
export const enrollmentType = "tenant-vertical-enrollment";

/** More apps than a workspace can have in practice. */
const maximumEnrollments = 10_000;

/** An app as its record names it; deployments differ in the names of the properties. */
export interface Enrollment {
  readonly id: string;
  readonly key: string;
  readonly displayName: string | undefined;
  readonly status: string | undefined;
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

export function enrollmentOf({ id, data }: Resource): Enrollment {
  return {
    id,
    key: textIn(data, "vertical_key", "verticalKey", "app_key", "appKey", "key") ?? id,
    displayName: textIn(data, "display_name", "displayName", "name"),
    status: textIn(data, "status"),
    appUrl: textIn(data, "app_url", "appUrl"),
    runtimeTenantId: textIn(data, "runtime_tenant_id", "runtimeTenantId", "targetTenantId"),
  };
}

/** The app with this key. Throws E202. */
export async function findEnrollment(
  client: Client,
  key: string,
  signal: AbortSignal,
): Promise<Enrollment> {
  let count = 0;
  for await (const record of client.useResources(enrollmentType).all({ signal })) {
    const enrollment = enrollmentOf(record);
    if (enrollment.key === key) return enrollment;
    count += 1;
    if (count >= maximumEnrollments) break;
  }
  const hint = "`svc app list` shows the apps, and `svc app create` enrolls one";
  throw catalogError("E202", { resource: `App "${key}"` }, { hint });
}
