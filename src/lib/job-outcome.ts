/** Reads the states of a job and its stages, for commands and the dashboard. */

/** A state of a job or a stage in this client's terms. */
export type TrackedState =
  | "queued"
  | "pending"
  | "running"
  | "interrupted"
  | "succeeded"
  | "completed_with_errors"
  | "failed"
  | "cancelled"
  | "skipped";

export type JobOutcome = "succeeded" | "completed_with_errors" | "failed" | "cancelled" | "pending";

/** Deployments may name the state `status` or `state` (spec 2.6 leaves the name open). */
interface Tracked {
  readonly status?: unknown;
  readonly state?: unknown;
}

interface TrackedJob<Stage extends Tracked> extends Tracked {
  readonly percentCompleted?: unknown;
  readonly stages?: readonly Stage[] | null | undefined;
}

export interface JobReading<Stage> {
  /** `pending` until the job has ended in a known state. */
  readonly outcome: JobOutcome;
  /** The job's own state; undefined if it is missing or not known. */
  readonly state: TrackedState | undefined;
  /** The deployment's word for the job's state. */
  readonly word: string | undefined;
  readonly failedStages: readonly Stage[];
  /** The job's own state is one of work that goes on. */
  readonly isActive: boolean;
}

const synonyms: Readonly<Record<TrackedState, string>> = {
  queued: "queued queueing enqueued accepted submitted received created new scheduled",
  pending: "pending waiting notstarted todo open blocked onhold",
  running:
    "running started starting processing inprogress inprocess active busy working executing " +
    "ongoing retrying resuming cancelling canceling stopping finishing",
  interrupted: "interrupted paused suspended",
  succeeded:
    "succeeded success successful successfully ok complete completed done finished processed " +
    "completedsuccessfully passed ready",
  completed_with_errors:
    "completedwitherrors completedwitherror completewitherrors completedwithfailures " +
    "completedwithwarnings succeededwitherrors succeededwithissues finishedwitherrors " +
    "donewitherrors partial partiallysucceeded partiallycompleted partiallyfailed " +
    "partialsuccess partialfailure",
  failed:
    "failed fail failure error errored errors faulted fatal crashed rejected timedout timeout",
  cancelled: "cancelled canceled cancel aborted terminated stopped killed",
  skipped: "skipped skip notapplicable notrequired notneeded omitted",
};

const stateByWord: ReadonlyMap<string, TrackedState> = new Map(
  Object.entries(synonyms).flatMap(([state, words]) =>
    words.split(" ").map((word): [string, TrackedState] => [word, state as TrackedState]),
  ),
);

const endings: ReadonlySet<TrackedState | undefined> = new Set([
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
  "skipped",
] as const);

/** The state that a word names, without regard to case, `-`, `_` and blanks. */
export function trackedState(word: unknown): TrackedState | undefined {
  if (typeof word !== "string" || word.length > 100) return undefined;
  return stateByWord.get(word.toLowerCase().replace(/[-_\s]+/g, ""));
}

/** The deployment's word for a state. */
export function stateWord({ status, state }: Tracked): string | undefined {
  return [status, state].find((word) => typeof word === "string" && word !== "") as
    | string
    | undefined;
}

/**
 * The end of a job, if it has ended (spec 4.7 rule 6, 7.2). A failed stage fails the job, also one
 * whose own state is a success. A job that names no state ends with its stages.
 */
export function readJob<Stage extends Tracked>(job: TrackedJob<Stage>): JobReading<Stage> {
  const stages = job.stages ?? [];
  const states = stages.map((stage) => trackedState(stateWord(stage)));
  const word = stateWord(job);
  const state = trackedState(word);
  return {
    outcome: outcomeOf(state, states, word === undefined && percentOf(job) >= 100),
    state,
    word,
    failedStages: stages.filter((_stage, index) => states[index] === "failed"),
    isActive: state !== undefined && !endings.has(state),
  };
}

function outcomeOf(
  own: TrackedState | undefined,
  stages: readonly (TrackedState | undefined)[],
  mayEndWithStages: boolean,
): JobOutcome {
  if (own === "completed_with_errors" || own === "failed" || own === "cancelled") return own;
  const haveEnded = stages.every((stage) => endings.has(stage));
  const hasEnded = own === "succeeded" || (mayEndWithStages && stages.length > 0 && haveEnded);
  if (stages.includes("failed")) {
    // Other stages of a running job go on, e.g. for its other documents.
    const continues = own !== undefined && !hasEnded && !haveEnded;
    return continues ? "pending" : "failed";
  }
  if (!hasEnded) return "pending";
  const isPartial = stages.includes("completed_with_errors") || stages.includes("cancelled");
  return isPartial ? "completed_with_errors" : "succeeded";
}

function percentOf({ percentCompleted }: { readonly percentCompleted?: unknown }): number {
  return typeof percentCompleted === "number" ? percentCompleted : 100;
}
