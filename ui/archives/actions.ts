import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import type { Action } from "../kit/places/action.ts";
import { sizeWords } from "../kit/text/words.ts";
import { archiveName, groupWords, isBeingMade } from "./words.ts";

/** An archive with the workspace whose it is, which its command names. */
export interface OwnArchive {
  readonly archive: WorkspaceArchive;
  readonly tenantId: string;
}

export const archiveRemoval: Action<OwnArchive> = {
  question: {
    title: ({ archive }) => `Delete the archive of ${archiveName(archive)}`,
    effects: ({ archive }) => [
      isBeingMade(archive)
        ? "its job stops, and no file is made"
        : `its file, ${sizeWords(archive.size ?? 0)}: ${groupWords(archive)}`,
      "files that were saved stay; this has no undo",
    ],
    command: ({ archive, tenantId }) => [
      ["publicapi", "delete", `/v4/platform/tenants/${tenantId}/archives/${archive.id}`],
    ],
  },
  removes: true,
  run: (client, { archive }, tenantId) =>
    client.archives.remove({ tenantId, params: { archiveId: archive.id } }),
  done: ({ archive }) => `deleted the archive of ${archiveName(archive)}`,
};
