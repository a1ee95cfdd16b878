import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { given } from "#lib/given.ts";
import { endOfJob, type JobWait } from "#lib/time/job-end.ts";
import type { Client } from "../surface.ts";

/** The calls of a client that follow an archive. */
interface ArchiveClient {
  readonly archives: Pick<Client["archives"], "get" | "remove">;
}

/** The time for the removal of an archive, which an interrupted wait may not end. */
const removalMs = 5000;

export interface ArchiveWait extends Omit<JobWait<WorkspaceArchive>, "read"> {
  /** The workspace; default: the one of the client. */
  readonly tenantId?: string | undefined;
}

/** Follows the job of an archive; returns its last state, pending when the time is over. */
export function endOfArchive(
  { archives }: ArchiveClient,
  started: WorkspaceArchive,
  { tenantId, ...wait }: ArchiveWait,
): Promise<WorkspaceArchive> {
  const { signal } = wait;
  const input = { ...given({ tenantId, signal }), params: { archiveId: started.id } };
  return endOfJob(started, { ...wait, read: () => archives.get(input) });
}

/**
 * Follows the job of an archive without need for its file, and removes the archive also when the
 * wait is interrupted or its time is over. A failed removal fails nothing.
 */
export async function endOfPassingArchive(
  client: ArchiveClient,
  started: WorkspaceArchive,
  wait: ArchiveWait,
): Promise<WorkspaceArchive> {
  try {
    return await endOfArchive(client, started, wait);
  } finally {
    const { tenantId } = wait;
    const signal = AbortSignal.timeout(removalMs);
    const input = { ...given({ tenantId }), params: { archiveId: started.id }, signal };
    await client.archives.remove(input).catch(() => {});
  }
}
