import { interruptedError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes, CatalogError } from "#contract/errors.ts";
import { stateWord, type JobOutcome } from "#lib/job-outcome.ts";
import { counted } from "#lib/text/counted.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import { UploadJournal, JournalBusyError } from "#local/configuration/upload-journal.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { FoundFile } from "./find-files.ts";
import { type Run, inParallel } from "./run.ts";
import { sendFiles, type FileOutcome, type SentFile } from "./send-files.ts";

/** Jobs that are followed at the same time; each has its own stream. */
const followedAtOnce = 6;

const againWords = "Run the same command again: accepted files are not sent twice";

interface FollowedJob {
  readonly outcome: JobOutcome;
  readonly job: DocumentJob | undefined;
  readonly error?: CatalogError;
}

export interface ManyOptions {
  readonly workspace: string | undefined;
  /** Forgets what earlier runs sent. */
  readonly again: boolean;
  /** Follows the jobs this long; undefined: does not follow them. */
  readonly waitMs: number | undefined;
}

/** Uploads files, each with its own request and job; returns the exit code. */
export async function uploadMany(
  context: CommandContext,
  files: readonly FoundFile[],
  verb: Run["verb"],
  metadata: Readonly<Record<string, string>>,
  { workspace, again, waitMs }: ManyOptions,
): Promise<number> {
  const client = await context.client({ workspace });
  const names = [
    client.baseUrl,
    client.tenantId ?? "",
    verb,
    JSON.stringify(Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  ];
  const journal = await openJournal(context, names);
  let isComplete = false;
  let sent: SentFile[];
  const run: Run = { client, verb, metadata, journal };
  try {
    if (again) for (const file of files) journal.forget(file);
    sent = await sendFiles(context, files, run);
    isComplete = sent.every(({ answer }) => answer !== undefined);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    const accepted = files.filter((file) => journal.find(file)?.answer !== undefined).length;
    const state = `${accepted} of ${counted(files.length, "file")} accepted`;
    const next = journal.isStored ? `. ${againWords}` : "";
    throw interruptedError(`${state}${next}`, error);
  } finally {
    // Its files stay until the end of a wait, which may be interrupted too.
    await journal.close({ complete: isComplete && waitMs === undefined ? files : [] });
  }
  const followed =
    waitMs === undefined
      ? undefined
      : await followJobs(context, sent, run, waitMs).catch((error: unknown) => {
          if (!context.signal.aborted) throw error;
          throw interruptedError("The jobs of the accepted files go on: `svc docs list`", error);
        });
  if (
    isComplete &&
    journal.isStored &&
    followed !== undefined &&
    [...followed.values()].every(hasEnded)
  ) {
    // Another run may have opened it: these files then count as sent for a week.
    const ended = await openJournal(context, names).catch(() => undefined);
    await ended?.close({ complete: files });
  }
  await print(context, sent, followed, journal.isStored ? `. ${againWords}` : "");
  return exitCodeOf(sent, followed);
}

/** The journal of the run; one of this process where the configuration folder can't be written. */
async function openJournal(
  context: CommandContext,
  run: readonly string[],
): Promise<UploadJournal> {
  const { configDirectory } = await context.settings();
  try {
    return await UploadJournal.open(configDirectory.value, run.join("\n"), Date.now());
  } catch (error) {
    if (error instanceof JournalBusyError) {
      throw catalogError("E205", { details: error.message }, { hint: "Wait for its end" });
    }
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const reason = systemErrorCode(error) === undefined ? "it failed" : writeErrorWords(error);
    await context.output.note(
      shown`The journal of uploads can't be written to ${configDirectory.value}: ${reason}. A repeated run sends all files again`,
    );
    return UploadJournal.inMemory();
  }
}

function hasEnded({ outcome, error }: FollowedJob): boolean {
  return outcome !== "pending" && error === undefined;
}

const good: ReadonlySet<FileOutcome> = new Set(["accepted", "duplicate", "sent-before"]);

function exitCodeOf(
  sent: readonly SentFile[],
  followed: ReadonlyMap<string, FollowedJob> | undefined,
): number {
  if (!sent.every(({ outcome }) => good.has(outcome))) return exitCodes.failed;
  const ends = [...(followed?.values() ?? [])].map(({ outcome }) => outcome);
  if (ends.some((end) => end !== "succeeded" && end !== "pending")) return exitCodes.failed;
  return ends.includes("pending") ? exitCodes.stillPending : exitCodes.done;
}

interface Line {
  readonly path: string;
  readonly outcome: FileOutcome;
  readonly jobId?: string | undefined;
  readonly documentId?: string | undefined;
  readonly documentNumber?: string | undefined;
  readonly duplicateOf?: string | undefined;
  readonly jobStatus?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

function lineOf(
  { file, outcome, answer, error }: SentFile,
  followed: ReadonlyMap<string, FollowedJob> | undefined,
): Line {
  const end = followed?.get(answer?.jobId ?? "");
  const { jobId, documentId, documentNumber, duplicateOf } = answer ?? {};
  const failure = error ?? end?.error;
  return {
    path: file.shown,
    outcome,
    jobId,
    documentId,
    documentNumber,
    duplicateOf,
    jobStatus: end?.job === undefined ? undefined : stateWord(end.job),
    error: failure && { code: failure.code, message: failure.message },
  };
}

async function print(
  { output }: CommandContext,
  sent: readonly SentFile[],
  followed: ReadonlyMap<string, FollowedJob> | undefined,
  next: string,
): Promise<void> {
  await output.progress("");
  const files = sent.map((each) => lineOf(each, followed));
  const count = (...outcomes: FileOutcome[]): number =>
    files.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const counts = {
    accepted: count("accepted"),
    duplicates: count("duplicate"),
    sentBefore: count("sent-before"),
    failed: count("failed", "unknown"),
    notSent: count("not-sent"),
  };
  await output.data({ files, ...counts }, () =>
    output.table(files, [
      { heading: "file", value: ({ path }) => path },
      { heading: "outcome", value: ({ outcome }) => outcome, whole: true },
      { heading: "document", value: ({ documentNumber }) => documentNumber, whole: true },
      ...(followed === undefined
        ? []
        : [{ heading: "job", value: ({ jobStatus }: Line) => jobStatus, whole: true as const }]),
      { heading: "job id", value: ({ jobId }) => jobId, optional: true },
    ]),
  );
  for (const { path, error } of files) {
    if (error !== undefined) await output.note(shown`${path}: ${error.message}`);
  }
  if (counts.failed + counts.notSent > 0) {
    const rest = counted(counts.failed + counts.notSent, "file");
    await output.note(shown`${rest} not accepted${next}`);
  }
}

/** Follows the job of each sent file to its end, for `waitMs` in all; it only reads. */
async function followJobs(
  { output, signal }: CommandContext,
  sent: readonly SentFile[],
  { client }: Run,
  waitMs: number,
): Promise<ReadonlyMap<string, FollowedJob>> {
  const ids = [...new Set(sent.flatMap(({ answer }) => answer?.jobId ?? []))];
  const followed = new Map<string, FollowedJob>();
  const endsAtMs = performance.now() + waitMs;
  const documents = client.useDocuments();
  const show = (words: string): void =>
    void output.progress(`Jobs: ${followed.size} of ${ids.length} ended${words}`);
  show("");
  await inParallel(ids, followedAtOnce, async (jobId) => {
    const restMs = Math.max(1, Math.ceil(endsAtMs - performance.now()));
    try {
      const found = await documents.waitForJob(jobId, {
        waitMs: restMs,
        signal,
        onChange: (job) => show(`  ${jobId} ${stateWord(job) ?? ""}`),
      });
      followed.set(jobId, found);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      followed.set(jobId, { outcome: "failed", job: undefined, error });
    }
    show("");
  });
  return followed;
}
