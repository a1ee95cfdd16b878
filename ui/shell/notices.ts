import { failureLine, isAbort } from "../kit/answers/failure.ts";
import { Part, usePart } from "../kit/state/part.ts";
import { Store } from "../kit/state/store.ts";

export interface Notice {
  readonly kind: "done" | "note" | "failed";
  readonly words: string;
}

/** Failures are longer to read and must not be missed. */
const shownMs: Readonly<Record<Notice["kind"], number>> = {
  done: 4_000,
  note: 4_000,
  failed: 10_000,
};

/** A notice with its time, or a command with the effect of an action. */
export interface LoggedNotice {
  readonly atMs: number;
  readonly kind: Notice["kind"] | "command";
  readonly words: string;
}

const maximumLogged = 200;

/** The message above the footer, and the log of the earlier ones. */
export class Notices {
  readonly message = new Store<Notice | undefined>(undefined);
  /** The last 200 notices and commands, newest first. */
  readonly log = new Store<readonly LoggedNotice[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly say = (kind: Notice["kind"], words: string): void => {
    clearTimeout(this.#timer);
    this.message.set({ kind, words });
    this.note(kind, words);
    // The exit does not wait for the end of a message.
    this.#timer = setTimeout(this.clear, shownMs[kind]).unref();
  };

  /** Writes into the log, and shows no message. */
  readonly note = (kind: LoggedNotice["kind"], words: string): void =>
    this.log.set((now) => [{ atMs: Date.now(), kind, words }, ...now].slice(0, maximumLogged));

  /** Shows a failure in one line; aborts are not shown. */
  readonly sayFailure = (error: unknown): void => {
    if (!isAbort(error)) this.say("failed", failureLine(error));
  };

  readonly clear = (): void => {
    clearTimeout(this.#timer);
    this.message.set(undefined);
  };
}

export const noticesPart = new Part<Notices>("messages");

export function useNotices(): Notices {
  return usePart(noticesPart);
}

/** Runs work in the background: shows its message or failure as a toast, then calls `onEnd`. */
export function useReportedWork(
  onEnd: () => void,
): (work: () => Promise<string | undefined>) => void {
  const { say, sayFailure } = useNotices();
  return (work) => {
    work()
      .then((words) => {
        if (words !== undefined) say("done", words);
      }, sayFailure)
      .finally(onEnd);
  };
}
