import type { Client } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { failureLine, isAbort } from "../../kit/answers/failure.ts";
import { doneMark, type WorkOutcome } from "../../kit/state/work.ts";
import { useChangeLog } from "../undo/change-log.ts";
import type { MarkedRecord } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { deletionEffects, previewedRecords } from "./deletion-preview.ts";
import { useDeletionQuestion, type BatchDelete } from "./use-deletion-question.ts";

/** Records per request; Esc stops between two requests. */
const batchSize = 500;
interface Refused {
  readonly record: MarkedRecord;
  readonly words: string;
}

interface Progress {
  /** Ids of the records that exist or may exist. */
  readonly left: Set<string>;
  readonly refused: Refused[];
  /** Lines about the records that were not sent or not confirmed. */
  readonly rest: string[];
  /** Whether the outcome of each sent record is known. */
  isKnown: boolean;
}

interface Target {
  readonly objectType: string;
  readonly tenantId: string | undefined;
}

/** Sends one batch, and writes its outcome into `progress`. */
async function sendBatch(
  client: Client,
  target: Target,
  batch: readonly MarkedRecord[],
  progress: Progress,
): Promise<void> {
  try {
    const refusals = await refusalsOf(client, target, batch);
    const refusedIds = new Set(refusals.map(({ record }) => record.id));
    for (const { id } of batch) if (!refusedIds.has(id)) progress.left.delete(id);
    progress.refused.push(...refusals);
  } catch (error) {
    if (isAbort(error)) throw error;
    progress.isKnown = isRefusal(error);
    const records = `the ${counted(batch.length, "record")} of this request`;
    const words = progress.isKnown
      ? `${records} were not deleted`
      : `it is unknown whether ${records} were deleted: look again`;
    progress.rest.push(failureLine(error), words);
  }
}

async function refusalsOf(
  client: Client,
  { objectType, tenantId }: Target,
  records: readonly MarkedRecord[],
): Promise<Refused[]> {
  const { results } = await client.resources.batchDelete({
    params: { objectType },
    tenantId,
    // The version protects records that another user has changed since.
    body: { items: records.map(({ id, version }) => ({ id, version })) },
  });
  return results.flatMap(({ index, status, error }) => {
    const record = records[index];
    // 404: the record is already deleted.
    if (record === undefined || status < 400 || status === 404) return [];
    const words =
      (status === 409 && error?.code !== "still-referenced") || status === 412
        ? "it was changed by another user"
        : (error?.detail ?? error?.title ?? `was refused (${status})`);
    return [{ record, words }];
  });
}

/** Whether the platform refused it, so that nothing was changed. */
export function isRefusal(error: unknown): boolean {
  const { status = 0 } = error instanceof CatalogError ? error : {};
  return status >= 300 && status < 500;
}

function outcomeOf(
  { left, refused, rest, isKnown }: Progress,
  chosen: readonly MarkedRecord[],
  name: string | undefined,
): WorkOutcome {
  const deleted = chosen.length - left.size;
  const done = `deleted ${name ?? counted(deleted, "record")}`;
  if (refused.length === 0 && rest.length === 0) return { good: true, lines: [done] };
  const none = isKnown ? "nothing was deleted" : "no deletion is confirmed";
  const lines = refused.map(({ record, words }) => `${record.name} was not deleted: ${words}`);
  const names = chosen.flatMap(({ id, name: of }) => (left.has(id) ? [] : [doneMark + of]));
  return { good: false, lines: [deleted === 0 ? none : done, ...lines, ...rest, ...names] };
}

/** Shows what a deletion changes, asks, and then deletes the records in batches. */
export function useBatchDelete(): (request: BatchDelete) => void {
  const { client, tenantId } = usePlatform();
  const platform = usePlatformLink();
  const overlays = useOverlays();
  const ask = useDeletionQuestion();
  const note = useChangeLog();

  const start = ({ objectType, chosen, onEnd }: BatchDelete) => {
    if (client === undefined) return;
    const total = chosen.length;
    const name = total === 1 ? chosen[0]?.name : undefined;
    overlays.work({
      title: `Delete ${name ?? counted(total, "record")}`,
      counted: "records sent for deletion",
      stop: `stops before the next ${batchSize}`,
      run: async (report, signal) => {
        const left = new Set(chosen.map(({ id }) => id));
        const progress: Progress = { left, refused: [], rest: [], isKnown: true };
        report({ done: 0, total });
        for (let at = 0; at < total && progress.rest.length === 0; at += batchSize) {
          const batch = chosen.slice(at, at + batchSize);
          await sendBatch(client, { objectType, tenantId }, batch, progress);
          report({ done: Math.min(at + batchSize, total), total });
          const unsent = total - at - batchSize;
          if (unsent > 0 && signal.aborted) progress.rest.push("stopped");
          if (unsent > 0 && progress.rest.length > 0) {
            progress.rest.push(`${counted(unsent, "record")} were not sent; they stay marked`);
          }
        }
        onEnd(left);
        const gone = chosen.filter(({ id }) => !left.has(id));
        note(
          `delete ${name ?? counted(gone.length, "record")}`,
          gone.map(({ id, name: of }) => ({ objectType, id, name: of, kind: "deleted" as const })),
        );
        return outcomeOf(progress, chosen, name);
      },
    });
  };

  return (request) => {
    const { chosen } = request;
    if (client === undefined || chosen.length === 0) return;
    if (chosen.length > previewedRecords) return ask(request, undefined, start);
    overlays.wait({
      title: "Delete",
      words: "looking for what the deletion changes",
      ask: async (signal) => {
        const effects = await deletionEffects({ client, platform, tenantId, signal, ...request });
        return () => ask(request, effects, start);
      },
    });
  };
}
