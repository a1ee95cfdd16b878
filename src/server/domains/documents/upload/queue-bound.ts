import { Refusal } from "#contract/problems.ts";
import type { Reader } from "../../../database/database.ts";
import { countWaitingJobs } from "../store/document-jobs.ts";

const retryAfterSeconds = 30;

/** Refuses further jobs of a workspace whose queue is full, before any byte is stored. */
export async function requireRoomInQueue(
  reader: Reader,
  workspaceId: string,
  waitingJobs: number,
): Promise<void> {
  if ((await countWaitingJobs(reader, workspaceId, waitingJobs)) < waitingJobs) return;
  throw new Refusal("rate-limited", {
    detail:
      `The queue of this workspace is full: ${waitingJobs} jobs wait. Send the files again when ` +
      "some of them have ended",
    headers: { "retry-after": String(retryAfterSeconds) },
    members: { waitingJobs },
  });
}
