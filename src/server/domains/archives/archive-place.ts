import { archiveHours } from "#contract/workspaces/archive-parts.ts";

/** The workspace of a request, and who asks: an archive belongs to its caller. */
export interface ArchivePlace {
  readonly workspaceId: string;
  readonly oid: string;
}

export const keptMs = archiveHours * 60 * 60 * 1000;
