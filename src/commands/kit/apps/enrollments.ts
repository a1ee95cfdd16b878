import { enrollmentOf, enrollmentType, type Enrollment } from "#client/enrollments.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";

/** More apps than a workspace can have in practice. */
const maximumEnrollments = 10_000;

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
