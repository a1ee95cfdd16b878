import type { FailureRule } from "../shell/platform/feed/failure-watch.ts";

/** Parts of the platform that are not well, such as backups whose last run has failed. */
export const platformFailures: readonly FailureRule[] = [
  {
    name: "health",
    place: "operations",
    isForAll: true,
    isTimed: true,
    read: async (client, { signal }) => {
      const { components = {}, warnings = [] } = await client.health.resources({ signal });
      const parts = Object.entries(components).flatMap(([name, { status, detail }]) =>
        status === "ok"
          ? []
          : [{ id: `${name} ${status}`, words: `${name} ${status}: ${detail ?? ""}` }],
      );
      return [...parts, ...warnings.map((words) => ({ id: words, words }))];
    },
  },
];
