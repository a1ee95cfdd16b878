import type { JobStatus } from "#contract/documents/jobs.ts";

/** Background work, one row a job (see `stores/jobs.ts` for what the columns mean). */
export interface JobTables {
  jobs: {
    workspace_id: string;
    id: string;
    kind: string;
    state: JobStatus;
    /** How often it was claimed; also the fence: a worker writes only while it is still its own. */
    attempt: number;
    max_attempts: number;
    run_at: string;
    lease_until: string | null;
    /** JSON: `jsonText("payload")`. */
    payload: string;
    /** JSON array of stages. */
    stages: string;
    percent_completed: number;
    /** JSON object of numbers. */
    counts: string;
    /** JSON `{ code?, message }`. */
    error: string | null;
    /** Goes up by one with each change; the event id of its stream. */
    revision: number;
    created_by: string;
    created_at: string;
    updated_at: string;
    expires_at: string | null;
  };
}
