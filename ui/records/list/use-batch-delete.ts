import { useCommandLines, type WriteCommand } from "../../shell/use-copy.ts";
import { CatalogError, type Client } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { clipText } from "../../kit/text/text-layout.ts";
import { failureLine, isAbort } from "../../kit/answers/failure.ts";
import type { WorkOutcome } from "../../kit/state/work.ts";
import type { MarkedRecord } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useNotices } from "../../shell/notices.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useRouter } from "../../shell/router.ts";
import { deletionEffects, previewedRecords, type DeletionEffects } from "./deletion-preview.ts";

/** Records per request; Esc stops between two requests. */
const batchSize = 500;
/** Records that a question or an outcome names. */
const namedRecords = 6;
/** Ids that a command has. */
const namedIds = 100;
/** The maximum width of a name in the question. */
const longestName = 60;

interface BatchDelete {
  readonly objectType: string;
  readonly chosen: readonly MarkedRecord[];
  /** Gets the ids of the records that exist or may exist. */
  readonly onEnd: (left: ReadonlySet<string>) => void;
}

/** The command that deletes these records; `undefined` for too many of them. */
function deleteCommand(
  objectType: string,
  chosen: readonly MarkedRecord[],
  write: WriteCommand,
): string | undefined {
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) {
    return write(["resources", "delete", objectType, only.id], { force: true });
  }
  if (chosen.length > namedIds) return undefined;
  const data = JSON.stringify(chosen.map(({ id }) => id));
  return write(["resources", "batch-delete", objectType], { data });
}

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
  total: number,
  name: string | undefined,
): WorkOutcome {
  const deleted = total - left.size;
  const done = `deleted ${name ?? counted(deleted, "record")}`;
  if (refused.length === 0 && rest.length === 0) return { good: true, lines: [done] };
  const none = isKnown ? "nothing was deleted" : "no deletion is confirmed";
  const lines = refused.map(({ record, words }) => `${record.name} was not deleted: ${words}`);
  return { good: false, lines: [deleted === 0 ? none : done, ...lines, ...rest] };
}

/** The first lines, and the number of the others. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - namedRecords;
  return more > 0
    ? [...lines.slice(0, namedRecords), `and ${counted(more, "record")} more`]
    : [...lines];
}

/** Shows what a deletion changes, asks, and then deletes the records in batches. */
export function useBatchDelete(): (request: BatchDelete) => void {
  const { client, tenantId } = usePlatform();
  const platform = usePlatformLink();
  const { go } = useRouter();
  const { say } = useNotices();
  const overlays = useOverlays();
  const commands = useCommandLines();

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
        return outcomeOf(progress, total, name);
      },
    });
  };

  /** Asks once: `y` where a restore can follow, else the slug is typed. */
  const ask = (request: BatchDelete, effects: DeletionEffects | undefined) => {
    const { objectType, chosen } = request;
    const [first] = chosen;
    if (first === undefined) return;
    const isOne = chosen.length === 1;
    if (isOne && effects !== undefined && effects.stay > 0) return refuse(request, effects);
    const what = isOne ? first.name : counted(chosen.length, "record");
    const lines = chosen.map(
      ({ name, version }) => `${objectType} ${clipText(name, longestName)}, version ${version}`,
    );
    const others =
      effects?.lines ??
      (isOne ? [] : ["records that refer to them may change too, or keep some of them"]);
    const stay = effects?.stay ?? 0;
    overlays.confirm({
      title: `Delete ${what}`,
      effects: [
        ...(isOne ? [] : [`${what} of the type ${objectType}:`]),
        ...firstLines(lines),
        ...others,
        ...(stay === 0 ? [] : [`${counted(stay, "record")} will stay: others refer to it`]),
        `with ${isOne ? "its" : "their"} files; \`svc resources restore\` brings ${isOne ? "it" : "them"} back`,
      ],
      command: deleteCommand(objectType, chosen, commands.inWorkspace),
      typed: effects === undefined ? objectType : undefined,
      onConfirm: () => start(request),
    });
  };

  /** Offers the records that refer to one, which must be changed before its deletion. */
  const refuse = ({ chosen: [record] }: BatchDelete, effects: DeletionEffects) => {
    const { blockers, blockedBy } = effects;
    const name = record?.name ?? "";
    if (blockedBy === 0) return say("failed", `${name} has too many dependent records to delete`);
    if (blockers.length === 0) {
      return say("failed", `${name} stays: ${counted(blockedBy, "reference")} to it`);
    }
    overlays.choose({
      title: `${clipText(name, longestName)} stays: ${counted(blockedBy, "reference")} to it`,
      placeholder: "a record that refers to it",
      choices: blockers.map(({ objectType, id, property, name: words }) => ({
        id: `${id} ${property}`,
        words: `${objectType} ${words}`,
        note: property,
        choose: () => go({ place: "resources", objectType, recordId: id }),
      })),
    });
  };

  return (request) => {
    const { chosen } = request;
    if (client === undefined || chosen.length === 0) return;
    if (chosen.length > previewedRecords) return ask(request, undefined);
    overlays.wait({
      title: "Delete",
      words: "looking for what the deletion changes",
      ask: async (signal) => {
        const effects = await deletionEffects({ client, platform, tenantId, signal, ...request });
        return () => ask(request, effects);
      },
    });
  };
}
