import type { Database, Writer } from "../../database/database.ts";
import { Exchange } from "../../http/exchange.ts";
import type { Endpoint, ErasedHandler } from "../../http/routing/endpoint.ts";
import { collectingNotes, noteHolder } from "../../kit/change-note.ts";
import { chained } from "../../kit/promisable.ts";
import type { ChangeNote, Recorded, Recording } from "../../work/work.ts";
import { entryOfAnswer, entryOfChange, isChange, observe, type Observed } from "./entry.ts";
import type { AuditLog } from "./service.ts";
import { appendEntries } from "./store.ts";

/** Domains with so many changes that their entries are written in shared transactions. */
const sharedDomains: ReadonlySet<string> = new Set(["resources", "documents", "chat"]);

/** The entry of a change, which its first transaction stores. */
class ChangeRecording implements Recording, Observed {
  isRecorded = false;
  result: unknown;
  readonly store = storeEntries;
  #isRecording = false;

  constructor(
    readonly exchange: Exchange,
    readonly now: () => Date,
  ) {}

  begin(): boolean {
    if (this.isRecorded || this.#isRecording || this.#isShared) return false;
    this.#isRecording = true;
    return true;
  }

  end(isCommitted: boolean): void {
    this.isRecorded = isCommitted;
    this.#isRecording = false;
  }

  get note(): ChangeNote | undefined {
    return this.exchange.note;
  }
  set note(note: ChangeNote | undefined) {
    this.exchange.note = note;
  }

  get #isShared(): boolean {
    const [domain = ""] = (this.exchange.endpoint?.id ?? "").split(".");
    return sharedDomains.has(domain);
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

/** Adds the entry of an answered request to the log. */
export function noteAnswer(log: Pick<AuditLog, "note">, exchange: Exchange, at: Date): void {
  const entry = entryOfAnswer(exchange, at);
  if (entry !== undefined) log.note(entry);
}

/**
 * Observes the changes of handlers, for the entries of the audit log; `except` is a handler that
 * stays as it is.
 */
export function audited(
  endpoints: readonly Endpoint[],
  now: () => Date,
  except?: ErasedHandler,
): Endpoint[] {
  return endpoints.map((endpoint) => {
    const { definition, handler } = endpoint;
    if (definition.method === "GET" || definition.asks === true) return endpoint;
    if (handler === except) return endpoint;
    return {
      ...endpoint,
      handler: (call, context) => {
        if (!(context instanceof Exchange) || !isChange(context)) return handler(call, context);
        const recording = recordChange(context, now);
        const given = collectingNotes(recording, () => handler(call, context));
        return chained(given, (value) => {
          recording.result = value;
          return value;
        });
      },
    };
  });
}

/** Runs the change of a page, whose entry is in its transaction like that of a route. */
export function pageRecorder(now: () => Date) {
  return async <T>(exchange: Exchange, work: () => Promise<T>): Promise<T> =>
    collectingNotes(recordChange(exchange, now), work);
}

function recordChange(exchange: Exchange, now: () => Date): ChangeRecording {
  const recording = new ChangeRecording(exchange, now);
  observe(exchange, recording);
  exchange.recordings.push(recording);
  return recording;
}

/** The same database; the first transaction of a request's change also stores its entry. */
export function auditedDatabase(database: Database): Database {
  return {
    ...database,
    async write(work) {
      const holder = noteHolder();
      const recording = holder instanceof ChangeRecording ? holder : undefined;
      if (recording?.begin() !== true) return database.write(work);
      let isCommitted = false;
      try {
        const value = await database.write(async (writer) => {
          const done = await work(writer);
          await storeEntries(writer, [{ recording, note: recording.note, remembered: undefined }]);
          return done;
        });
        isCommitted = true;
        return value;
      } finally {
        recording.end(isCommitted);
      }
    },
  };
}
