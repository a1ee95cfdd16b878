import type { DocumentJob } from "#client/index.ts";
import { trackedState } from "#lib/job-outcome.ts";
import { ownMember } from "#lib/own-member.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { cellText } from "#lib/text/terminal.ts";
import type { Notices } from "../shell/notices.ts";
import type { PlaceFailures } from "../shell/platform/feed/place-failures.ts";
import type { ChangeEvent } from "../shell/platform/feed/changes.ts";
import type { Platform } from "../shell/platform/use-platform.ts";
import type { Uploads } from "../shell/use-uploads.ts";
import { isActive, jobName, jobProblem, jobState } from "./words.ts";

const maximumWords = 200;

const documentKind = "document";

/** Ends of a job that lacks its result, or a part of it. */
const troubles: readonly (string | undefined)[] = ["failed", "completed_with_errors"];

/**
 * The id of the document job that may have failed with an event, as a whole or in part; undefined
 * for any other event. An older platform gives no kind of a job, and other deployments no state.
 */
export function endedJob({ type, data }: Pick<ChangeEvent, "type" | "data">): string | undefined {
  if (type !== "svc.document.job.completed" || !isJsonObject(data)) return undefined;
  const [id, kind = documentKind, after] = ["id", "kind", "after"].map((name) =>
    ownMember(data, name),
  );
  const state = isJsonObject(after) ? ownMember(after, "state") : undefined;
  if (kind !== documentKind || (state !== undefined && !troubles.includes(trackedState(state))))
    return undefined;
  return typeof id === "string" ? id : undefined;
}

/** A terminal shows it as a notification (OSC 9), and rings where it knows no such sequence. */
export function attentionSequence(words: string): string {
  return `\x1b]9;${cellText(words).slice(0, maximumWords)}\x07\x07`;
}

/**
 * Reports each job that fails or ends with errors: in the log, as a badge at its place unless that
 * is open, and with a message and the terminal's notification if this user began it here. Returns a
 * function that ends it.
 */
export function watchFailedJobs(parts: {
  readonly platform: Platform;
  readonly notices: Notices;
  readonly failures: PlaceFailures;
  readonly uploads: Uploads;
  /** Sends a sequence to the terminal that draws nothing. */
  readonly send: (sequence: string) => void;
}): () => void {
  const { platform, notices, failures, uploads, send } = parts;
  const report = (job: DocumentJob): void => {
    const isOwn = uploads.list.get().some(({ jobId }) => jobId === job.jobId);
    const end = jobState(job) === "failed" ? "its job failed" : "its job ended with errors";
    const words = `${jobName(job)}: ${jobProblem(job) || end}`;
    failures.add("jobs", job.jobId);
    if (!isOwn) return notices.note("failed", words);
    notices.say("failed", words);
    send(attentionSequence(words));
  };
  return platform.changes.watch((event) => {
    const jobId = endedJob(event);
    const { client, tenantId } = platform.state.get();
    if (jobId === undefined || client === undefined) return;
    client
      .useDocuments(tenantId)
      .job(jobId)
      .then(
        (job) => {
          if (!isActive(job) && troubles.includes(jobState(job))) report(job);
        },
        // A job without a tracker is no document job, and one that is gone has nothing to report.
        () => {},
      );
  });
}
