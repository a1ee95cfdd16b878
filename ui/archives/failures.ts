import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { readJob } from "#lib/job-outcome.ts";
import {
  hasTrouble,
  isDone,
  jobTrouble,
  type FailureRule,
} from "../shell/platform/feed/failure-watch.ts";
import { archiveName } from "./words.ts";

const maximumArchives = 100;
const exportKind = "workspace-export";

/**
 * Archives of the user that could not be made or are not complete, and imports of archives, which
 * have no list.
 */
export const archiveFailures: readonly FailureRule[] = [
  {
    name: "archives",
    place: "archives",
    nouns: ["document.job"],
    judge: (change) => hasTrouble(change, exportKind) || undefined,
    mayEnd: (change) => isDone(change, exportKind),
    read: async (client, { tenantId, signal }) => {
      const query = { limit: maximumArchives };
      const { items } = await client.archives.list({ tenantId, signal, query });
      const failed = items.filter(
        (archive, at) =>
          troubleOf(archive) !== undefined &&
          // The newest come first: a later one that has the same groups makes up for it.
          !items.slice(0, at).some((later) => hasAllOf(later, archive)),
      );
      return failed.map((archive) => {
        const why = archive.error?.message ?? troubleOf(archive);
        return { id: archive.id, words: `The archive of ${archiveName(archive)}: ${why}` };
      });
    },
  },
  {
    name: "imports of archives",
    place: "archives",
    nouns: ["document.job"],
    isForAdmins: true,
    judge: (change) => jobTrouble(change, "workspace-import", "An import of an archive"),
  },
];

/** The trouble of an archive as text; undefined for one that is complete or being made. */
function troubleOf(archive: WorkspaceArchive): string | undefined {
  const { outcome } = readJob(archive);
  if (outcome === "failed") return "it could not be made";
  return outcome === "completed_with_errors" ? "it is not complete" : undefined;
}

function hasAllOf({ status, groups }: WorkspaceArchive, archive: WorkspaceArchive): boolean {
  return status === "succeeded" && archive.groups.every((group) => groups.includes(group));
}
