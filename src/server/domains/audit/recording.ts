import type { Database } from "../../database/database.ts";
import { Exchange } from "../../http/exchange.ts";
import type { Endpoint, ErasedHandler } from "../../http/routing/endpoint.ts";
import { collectingNotes, noteHolder } from "../../kit/change-note.ts";
import { chained } from "../../kit/promisable.ts";
import {
  entryOfAnswer,
  entryOfChange,
  isChange,
  observe,
  type NewEntry,
  type Observed,
} from "./entry.ts";
import type { AuditLog } from "./service.ts";

/** Domains with so many changes that their entries are written in shared transactions. */
const sharedDomains: ReadonlySet<string> = new Set(["resources", "documents", "chat"]);

class Recording implements Observed {
  note: Observed["note"];
  isRecorded = false;
  result: unknown;
  constructor(readonly exchange: Exchange) {}
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
export function audited(endpoints: readonly Endpoint[], except?: ErasedHandler): Endpoint[] {
  return endpoints.map((endpoint) => {
    const { definition, handler } = endpoint;
    if (definition.method === "GET" || definition.asks === true) return endpoint;
    if (handler === except) return endpoint;
    return {
      ...endpoint,
      handler: (call, context) => {
        if (!(context instanceof Exchange) || !isChange(context)) return handler(call, context);
        const recording = new Recording(context);
        observe(context, recording);
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
export async function recordedPage<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  const recording = new Recording(exchange);
  observe(exchange, recording);
  return collectingNotes(recording, work);
}

/** The same database; the first transaction of a request's change also stores its entry. */
export function auditedDatabase(
  database: Database,
  { log, now }: { readonly log: Pick<AuditLog, "append">; readonly now: () => Date },
): Database {
  const recordingOf = (): Recording | undefined => {
    const holder = noteHolder();
    if (!(holder instanceof Recording) || holder.isRecorded) return undefined;
    const [domain = ""] = (holder.exchange.endpoint?.id ?? "").split(".");
    return sharedDomains.has(domain) ? undefined : holder;
  };
  return {
    ...database,
    async write(work) {
      const recording = recordingOf();
      if (recording === undefined) return database.write(work);
      const value = await database.write(async (writer) => {
        const done = await work(writer);
        const entry: NewEntry = entryOfChange(recording.exchange, now());
        await log.append(writer, [entry]);
        return done;
      });
      recording.isRecorded = true;
      return value;
    },
  };
}
