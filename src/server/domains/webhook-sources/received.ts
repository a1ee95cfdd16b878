import {
  reservedSourceNames,
  type AcceptedCall,
  type ReceivedCall,
  type ReceivedCallDetails,
} from "#contract/events/webhook-sources.ts";
import type { ReceivedState } from "#contract/events/webhook-source-values.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Job } from "../../jobs/job.ts";
import { enqueueJob } from "../../jobs/store.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { QuotaPort } from "../../work/ports.ts";
import type { PlatformWork } from "../../work/works.ts";
import { required, type Sources } from "./sources.ts";
import { keptHeaders, verifiedId, type IncomingCall } from "./signatures.ts";
import {
  countReceived,
  eraseContent,
  receivedById,
  receivedOf,
  removeExpired,
  sourceById,
  sourceOf,
  storeReceived,
  updateReceived,
  type ReceivedRecord,
  type SourceRow,
} from "./store.ts";
import { textOf } from "./mapping.ts";
import { headersOf, isUsable, receivedAnswer, schemeOf } from "./wire.ts";

export const receivedJobKind = "webhook-received";
const keptMs = 30 * 24 * 60 * 60 * 1000;
const sweepRows = 500;
const sweepIntervalMs = 60 * 60 * 1000;

/** A signature is computed for an unknown source too, so that the time does not show that. */
const unknownSource: Pick<SourceRow, "scheme"> = { scheme: JSON.stringify({ type: "standard" }) };

type ReceivedQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
  readonly status?: ReceivedState | undefined;
};

/** The calls of sources: each is stored with the job that lets it take effect, before the 202. */
export class ReceivedCalls {
  readonly #unknownSecret: string;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly sources: Sources;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      readonly unknownSecret: Uint8Array;
      /** Counts a call for the quota of its workspace, and refuses one beyond it. */
      readonly admit: QuotaPort["admit"];
      /** Lets the runner look for due jobs now. */
      readonly wake: () => void;
    },
  ) {
    this.#unknownSecret = `whsec_${Buffer.from(parts.unknownSecret).toString("base64")}`;
  }

  /** Stores a call whose signature is right. Throws the same 401 for every other one. */
  async receive(sourceId: string, call: IncomingCall): Promise<AcceptedCall> {
    const work = this.parts.platformWork("the source of a call from outside");
    const known = reservedSourceNames.has(sourceId)
      ? undefined
      : await sourceById(work.read, sourceId);
    const source = known ?? unknownSource;
    const secrets =
      known === undefined ? [this.#unknownSecret] : this.parts.sources.secretsOf(known);
    const now = this.parts.now();
    const eventId = verifiedId(schemeOf(source), secrets, call, now.getTime());
    if (known === undefined || eventId === undefined || !isUsable(known)) throw notAccepted();
    const at = now.toISOString();
    const row: ReceivedRecord = {
      workspace_id: known.workspace_id,
      source_id: known.id,
      event_id: eventId,
      id: Bun.randomUUIDv7(),
      state: "waiting",
      attempts: 1,
      headers: JSON.stringify(keptHeaders(schemeOf(known), call.headers)),
      body: call.body,
      body_size: call.body.byteLength,
      error: null,
      effect: null,
      subject: null,
      created_at: at,
      processed_at: null,
      expires_at: new Date(now.getTime() + keptMs).toISOString(),
    };
    const { id, isNew } = await this.#admitted(row, () =>
      work.within(known.workspace_id).write(async (tx) => {
        const stored = await storeReceived(tx, row);
        if (stored.isNew) await this.#enqueue(tx, row, known.key_id);
        return stored;
      }),
    );
    return isNew ? { id } : { id, duplicate: true };
  }

  /** Stores a call if the quota of its workspace has room for its body. */
  async #admitted<Stored extends { readonly isNew: boolean }>(
    { workspace_id: workspaceId, body_size: size }: ReceivedRecord,
    store: () => Promise<Stored>,
  ): Promise<Stored> {
    const headers = new Headers({ "content-length": String(size) });
    const request = { routeId: "webhookSources.receive", params: {}, body: undefined, headers };
    const onHandled = await this.parts.admit(workspaceId, request);
    let isStored = false;
    try {
      const stored = await store();
      isStored = stored.isNew;
      return stored;
    } finally {
      onHandled?.(isStored);
    }
  }

  async list(
    { read }: Work,
    workspaceId: string,
    sourceId: string,
    query: ReceivedQuery,
  ): Promise<ListBody<ReceivedCall>> {
    required(await sourceOf(read, workspaceId, sourceId));
    const { status: state } = query;
    const list = ["webhook calls", workspaceId, sourceId, state ?? ""];
    const pages = new ListPages(this.parts.cursors, list);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    const selection = { workspaceId, sourceId, state };
    return pages.body(start, {
      rows: await receivedOf(read, { ...selection, after: madeAt(start.after), limit, offset }),
      itemOf: receivedAnswer,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? await countReceived(read, selection) : undefined,
    });
  }

  async get(
    { read }: Work,
    workspaceId: string,
    sourceId: string,
    id: string,
  ): Promise<ReceivedCallDetails> {
    const row = required(ofSource(await receivedById(read, workspaceId, id), sourceId));
    const body = row.body === null ? null : textOf(row.body);
    return { ...receivedAnswer(row), headers: headersOf(row), body };
  }

  /** Lets a call take effect again that has ended. */
  async replay(
    work: Work,
    workspaceId: string,
    sourceId: string,
    id: string,
  ): Promise<ReceivedCall> {
    return work.write(async (tx) => {
      const row = required(ofSource(await receivedById(tx, workspaceId, id), sourceId));
      const source = required(await sourceOf(tx, workspaceId, sourceId));
      if (row.body === null) throw cannotReplay("its body was erased");
      if (!isUsable(source)) throw cannotReplay("its source is disabled");
      if (row.state === "waiting") throw cannotReplay("it has not taken effect yet");
      const attempts = Number(row.attempts) + 1;
      const changes = { state: "waiting", attempts, error: null, processed_at: null };
      await updateReceived(tx, row, changes);
      await this.#enqueue(tx, row, work.scope.caller);
      tx.note({ target: { source: sourceId, receivedId: id }, before: { status: row.state } });
      const answer = receivedAnswer({ ...row, ...changes });
      tx.remember(answer);
      return answer;
    });
  }

  /** Removes what the calls of erased records and documents contained. */
  async erase(workspaceId: string, ids: readonly string[]): Promise<void> {
    const work = this.parts.platformWork("content of calls of erased records");
    await work.write((tx) => eraseContent(tx, workspaceId, ids));
  }

  /** Forgets calls after 30 days. */
  startSweep(lifetime: {
    every(intervalMs: number, event: string, work: () => Promise<void>): void;
  }): void {
    const work = this.parts.platformWork("calls whose time is over");
    lifetime.every(sweepIntervalMs, "webhook-calls-not-removed", async () => {
      const at = this.parts.now().toISOString();
      for (let count = sweepRows; count === sweepRows;) {
        count = await work.write((tx) => removeExpired(tx, at, sweepRows));
      }
    });
  }

  async #enqueue(
    tx: Transaction,
    { workspace_id: workspaceId, id }: Pick<ReceivedRecord, "workspace_id" | "id">,
    createdBy: string,
  ): Promise<Job> {
    const payload = { receivedId: id };
    const job = { workspaceId, kind: receivedJobKind, payload, stages: [], createdBy };
    tx.afterCommit(this.parts.wake);
    return enqueueJob(tx, job, this.parts.now());
  }
}

function ofSource(row: ReceivedRecord | undefined, sourceId: string): ReceivedRecord | undefined {
  return row?.source_id === sourceId ? row : undefined;
}

function cannotReplay(reason: string): Refusal {
  return new Refusal("conflict", { detail: `Cannot replay this call: ${reason}` });
}

function notAccepted(): Refusal {
  return new Refusal("token-invalid", {
    detail: "Cannot accept this call: no source at this address has signed it in the last 5 min",
  });
}
