import type { Writer } from "../../database/database.ts";
import type { Recorded, Recording, Work } from "../../work/work.ts";
import { entryOfAnswer, entryOfChange, isChange, isRead, type AuditedRequest } from "./entry.ts";
import type { AuditLog } from "./service.ts";
import { appendEntries } from "./store.ts";

/**
 * Domains whose entries follow the answer: those with so many changes that their entries share
 * transactions, and removals, whose workspace may be gone by then.
 */
const laterDomains: ReadonlySet<string> = new Set([
  "resources",
  "documents",
  "chat",
  "workspaceRemoval",
]);

/** The entry of a change, which its first transaction stores. */
class ChangeRecording implements Recording {
  isRecorded = false;
  readonly store = storeEntries;
  #isRecording = false;

  constructor(
    readonly exchange: AuditedRequest,
    readonly now: () => Date,
  ) {}

  begin(): boolean {
    if (this.isRecorded || this.#isRecording) return false;
    this.#isRecording = true;
    return true;
  }

  end(isCommitted: boolean): void {
    this.isRecorded = isCommitted;
    this.#isRecording = false;
  }
}

async function storeEntries(writer: Writer, all: readonly Recorded[]): Promise<void> {
  const entries = all.flatMap(({ recording, note }) =>
    recording instanceof ChangeRecording
      ? [entryOfChange(recording.exchange, note, recording.now())]
      : [],
  );
  await appendEntries(writer, entries);
}

/** Lets the first transaction of a request's handler store the entry of its change. */
export function recordChange(exchange: AuditedRequest, now: () => Date): void {
  if (!isChange(exchange)) return;
  const { id = "" } = exchange.endpoint ?? {};
  if (laterDomains.has(id.slice(0, Math.max(0, id.indexOf("."))))) return;
  exchange.recordings.push(new ChangeRecording(exchange, now));
}

/** Runs the change of a page with work that has its entry in its transaction, like a route. */
export function pageRecorder(now: () => Date) {
  return async <T>(exchange: AuditedRequest, change: (work: Work) => Promise<T>): Promise<T> => {
    const { recordings } = exchange;
    const before = recordingOf(exchange);
    // The entry of a change that has failed belongs to no later change of the page.
    if (before?.isRecorded === false) recordings.splice(recordings.indexOf(before), 1);
    recordings.push(new ChangeRecording(exchange, now));
    return change(exchange.work);
  };
}

/** Adds the entry of an answered request to the log, unless a transaction has stored it. */
export function noteAnswer(
  log: Pick<AuditLog, "note">,
  exchange: AuditedRequest,
  now: () => Date,
): void {
  const isRefused = exchange.response === undefined || exchange.response.status >= 400;
  if (!isRefused && (isRead(exchange) || recordingOf(exchange)?.isRecorded === true)) return;
  const entry = entryOfAnswer(exchange, now());
  if (entry !== undefined) log.note(entry);
}

/** The recording of the exchange's last change. */
function recordingOf({ recordings }: AuditedRequest): ChangeRecording | undefined {
  return recordings.findLast((each) => each instanceof ChangeRecording);
}
