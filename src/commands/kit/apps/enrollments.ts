import { enrollmentOf, enrollmentType, type Enrollment } from "#client/enrollments.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import type { Resource } from "#contract/resources/resources.ts";

/** More apps than a workspace can have in practice. */
const maximumEnrollments = 10_000;

/** The app with this key. Throws E202. */
export async function findEnrollment(
  client: Client,
  key: string,
  signal: AbortSignal,
): Promise<Enrollment> {
  return enrollmentOf(await enrollmentRecord(client, key, signal));
}

/** The record of the app with this key. Throws E202. */
export async function enrollmentRecord(
  client: Client,
  key: string,
  signal: AbortSignal,
): Promise<Resource> {
  let count = 0;
  for await (const record of client.useResources(enrollmentType).all({ signal })) {
    if (enrollmentOf(record).key === key) return record;
    count += 1;
    if (count >= maximumEnrollments) break;
  }
  const hint = "`svc app list` shows the apps, and `svc app create` enrolls one";
  throw catalogError("E202", { resource: `App "${key}"` }, { hint });
}
