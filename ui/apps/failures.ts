import { enrollmentOf, enrollmentType } from "#client/enrollments.ts";
import { jobTrouble, type FailureRule } from "../shell/platform/feed/failure-watch.ts";

const maximumApps = 100;
const unfinished: ReadonlySet<string | undefined> = new Set(["pending", "provisioning", "failed"]);

/** States of a workflow in which its provisioning waits; it may also be one that is not bought. */
const waiting: ReadonlySet<string | undefined> = new Set([
  undefined,
  "operator_required",
  "blocked",
]);

/** Apps and workflows whose provisioning is not complete. */
export const appFailures: readonly FailureRule[] = [
  {
    name: "provisioning of apps",
    place: "apps",
    nouns: ["document.job", "resource"],
    judge: (change) => {
      const words = jobTrouble(change, "app-provisioning", "The provisioning of an app");
      if (words !== undefined) return words;
      const { type, objectType } = change;
      return (type.startsWith("svc.resource.") && objectType === enrollmentType) || undefined;
    },
    read: async (client, { tenantId, signal }) => {
      const records = client.useResources(enrollmentType, { tenantId });
      const { items } = await records.list({ limit: maximumApps, sort: "-created_at", signal });
      return items.map(enrollmentOf).flatMap((app) =>
        unfinished.has(app.status)
          ? [
              {
                id: `${app.key} ${app.status}`,
                words: `${app.displayName ?? app.key}: its provisioning is not complete`,
              },
            ]
          : [],
      );
    },
  },
  {
    name: "workflows",
    place: "apps",
    nouns: ["workflow"],
    judge: ({ type }) => type.startsWith("svc.workflow.") || undefined,
    read: async (client, { tenantId, signal }) => {
      const query = { tenant_id: tenantId };
      const { items } = await client.workflows.readiness({ query, signal });
      return items.flatMap(({ workflow_key: key, ready, status, reason }) =>
        !ready && waiting.has(status)
          ? [{ id: key, words: `${key}: ${reason ?? status ?? "is not ready"}` }]
          : [],
      );
    },
  },
];
