import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { ArchiveRecord } from "./store.ts";

/** The options of a request, as the archive's row keeps them. */
export interface ArchiveOptions {
  /** The groups of parts; all if absent. */
  readonly groups?: readonly ArchiveGroup[] | undefined;
}

export function optionsOf({ options }: Pick<ArchiveRecord, "options">): ArchiveOptions {
  // Only the request of an archive writes the column.
  return JSON.parse(options) as ArchiveOptions;
}
