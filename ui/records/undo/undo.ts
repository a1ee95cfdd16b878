import type { Client, JsonObject, Resource } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { failureOf, failureReason, isAbort } from "../../kit/answers/failure.ts";
import { differencesBetween, type Difference } from "../detail/record-history.ts";
import type { RecordWrite } from "./change-log.ts";

/** The workspace whose records are undone. */
export interface UndoScope {
  readonly client: Client;
  readonly tenantId: string | undefined;
  readonly signal: AbortSignal;
}

/** How one write can be undone now. */
export type UndoStep = { readonly write: RecordWrite } & (
  | {
      readonly state: "ready";
      /** The version that must still be current; absent for a deleted record. */
      readonly version: number | undefined;
      /** The changes of the undo; none where it deletes or brings back. */
      readonly differences: readonly Difference[];
    }
  | {
      readonly state: "changed";
      readonly version: number;
      /** The changes since the write. */
      readonly differences: readonly Difference[];
    }
  | { readonly state: "done" | "gone" }
);

function isMissing(error: unknown): boolean {
  return error instanceof CatalogError && error.status === 404;
}

/** The record now, or in a version; `undefined` where there is none. */
async function recordOf(
  { client, tenantId, signal }: UndoScope,
  { objectType, id }: RecordWrite,
  version?: number,
): Promise<Resource | undefined> {
  try {
    return await client.useResources(objectType, { tenantId }).get(id, { version, signal });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Compares the record with the state that the write left. Rejects as a read does. */
export async function undoStep(scope: UndoScope, write: RecordWrite): Promise<UndoStep> {
  const now = await recordOf(scope, write);
  if (write.kind === "deleted") {
    if (now !== undefined) return { write, state: "done" };
    return { write, state: "ready", version: undefined, differences: [] };
  }
  if (now === undefined) return { write, state: write.kind === "made" ? "done" : "gone" };
  const { version, data } = now;
  const after = version === write.version ? data : await dataOf(scope, write, write.version);
  if (after === undefined || !sameJson(after, data)) {
    return { write, state: "changed", version, differences: differencesBetween(after ?? {}, data) };
  }
  if (write.kind === "made") return { write, state: "ready", version, differences: [] };
  const before = await dataOf(scope, write, write.version - 1);
  if (before === undefined) return { write, state: "gone" };
  return { write, state: "ready", version, differences: differencesBetween(data, before) };
}

async function dataOf(
  scope: UndoScope,
  write: RecordWrite,
  version: number,
): Promise<JsonObject | undefined> {
  return (await recordOf(scope, write, version))?.data;
}

/** Undoes one write, unless the record has changed since the step was made. */
async function undo({ client, tenantId, signal }: UndoScope, step: UndoStep): Promise<void> {
  const { write } = step;
  if (step.state !== "ready") return;
  const { objectType, id } = write;
  const headers = step.version === undefined ? {} : { "if-match": `"${step.version}"` };
  const call = { tenantId, signal, headers, params: { objectType, id } };
  if (write.kind === "made") await client.resources.delete(call);
  else {
    const version = write.kind === "changed" ? write.version - 1 : undefined;
    await client.resources.restore({ ...call, body: given({ version }) });
  }
}

/** The outcome of each write. */
export interface UndoOutcome {
  readonly done: readonly RecordWrite[];
  readonly changed: readonly Extract<UndoStep, { state: "changed" }>[];
  /** The writes that could not be undone, with the reason; another try may succeed. */
  readonly refused: readonly { readonly write: RecordWrite; readonly words: string }[];
}

/** Requests at the same time. */
const concurrent = 8;

/**
 * Undoes writes, the last one first. One that is refused is tried again after the others: a record
 * can come back only after those that it refers to. Stops between two requests after an abort.
 */
export async function undoAll(
  scope: UndoScope,
  writes: readonly RecordWrite[],
  report: (done: number) => void,
): Promise<UndoOutcome> {
  const done: RecordWrite[] = [];
  const changed: Extract<UndoStep, { state: "changed" }>[] = [];
  let refused: UndoOutcome["refused"] = [];
  let pending = writes.toReversed();
  // A request that has been sent is not aborted: its outcome would be unknown.
  const whole = { ...scope, signal: new AbortController().signal };
  const one = async (write: RecordWrite) => {
    try {
      const step = await undoStep(whole, write);
      if (step.state === "changed") changed.push(step);
      else if (step.state === "gone") return { write, words: "it was deleted since" };
      else {
        await undo(whole, step);
        done.push(write);
      }
      report(done.length);
      return undefined;
    } catch (error) {
      if (isAbort(error)) throw error;
      return { write, words: failureReason(failureOf(error)) };
    }
  };
  for (let before = -1; pending.length > 0 && before !== done.length;) {
    before = done.length;
    const left: UndoOutcome["refused"][number][] = [];
    for (let at = 0; at < pending.length; at += concurrent) {
      const batch = pending.slice(at, at + concurrent);
      if (scope.signal.aborted) left.push(...batch.map((write) => ({ write, words: "stopped" })));
      else left.push(...(await Promise.all(batch.map(one))).filter((each) => each !== undefined));
    }
    refused = left;
    pending = scope.signal.aborted ? [] : left.map(({ write }) => write);
  }
  return { done, changed, refused };
}
