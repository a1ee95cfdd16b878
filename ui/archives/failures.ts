import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import type { FailureRule } from "../shell/platform/feed/failure-watch.ts";
import { archiveName } from "./words.ts";

const maximumArchives = 100;

/** Archives of the user that could not be made, and imports of archives, which have no list. */
export const archiveFailures: readonly FailureRule[] = [
  {
    name: "archives",
    place: "archives",
    nouns: ["document.job"],
    judge: ({ kind, isFailedJob }) => (isFailedJob && kind === "workspace-export") || undefined,
    mayEnd: ({ kind, isDoneJob }) => isDoneJob && kind === "workspace-export",
    read: async (client, { tenantId, signal }) => {
      const query = { limit: maximumArchives };
      const { items } = await client.archives.list({ tenantId, signal, query });
      const failed = items.filter(
        (archive, at) =>
          archive.status === "failed" &&
          // The newest come first: a later one that has the same groups makes up for it.
          !items.slice(0, at).some((later) => hasAllOf(later, archive)),
      );
      return failed.map((archive) => {
        const why = archive.error?.message ?? "it could not be made";
        return { id: archive.id, words: `The archive of ${archiveName(archive)}: ${why}` };
      });
    },
  },
  {
    name: "imports of archives",
    place: "archives",
    nouns: ["document.job"],
    isForAdmins: true,
    judge: ({ kind, isFailedJob }) =>
      isFailedJob && kind === "workspace-import" ? "An import of an archive has failed" : undefined,
  },
];

function hasAllOf({ status, groups }: WorkspaceArchive, archive: WorkspaceArchive): boolean {
  return status === "succeeded" && archive.groups.every((group) => groups.includes(group));
}
