import type { Reader } from "../../database/database.ts";
import { raw, statement, type Statement } from "../../database/statement.ts";
import { jobColumns, jobOfRow, type Job, type JobRow } from "../../jobs/job.ts";

/** Each set of states has its own index. */
const unfinished: readonly Statement[] = [
  raw("state in ('queued', 'interrupted')"),
  raw("state = 'running'"),
];

/** The unfinished jobs of a kind in a workspace. */
export async function unfinishedJobs(
  reader: Reader,
  { workspaceId, kind }: { readonly workspaceId: string; readonly kind: string },
): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const states of unfinished) {
    const rows = await reader.all<JobRow>(statement`select ${jobColumns} from jobs
      where ${states} and workspace_id = ${workspaceId} and kind = ${kind}`);
    jobs.push(...rows.map(jobOfRow));
  }
  return jobs;
}
