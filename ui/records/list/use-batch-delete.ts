import { CatalogError, type Client } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { clipText } from "../../kit/text/text-layout.ts";
import { failureLine, isAbort } from "../../kit/answers/failure.ts";
import type { WorkOutcome } from "../../kit/state/work.ts";
import type { MarkedRecord } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";

/** Records per request; Esc stops between two requests. */
const batchSize = 500;
/** Records that a question or an outcome names. */
const namedRecords = 6;
/** Ids that a command has. */
const namedIds = 3;
/** The maximum width of a name in the question. */
const longestName = 60;

interface BatchDelete {
  readonly objectType: string;
  readonly chosen: readonly MarkedRecord[];
  /** Gets the ids of the records that exist or may exist. */
  readonly onEnd: (left: ReadonlySet<string>) => void;
}

/** The command that deletes these records. */
function deleteCommand(objectType: string, chosen: readonly MarkedRecord[]): string {
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) {
    return commandLine(["resources", "delete", objectType, only.id]);
  }
  const ids = chosen.length <= namedIds ? chosen.map(({ id }) => id).join(",") : "@ids.txt";
  const command = commandLine(["resources", "batch-delete", objectType], { ids });
  return chosen.length <= namedIds ? command : `${command}   (ids.txt: their ids, one per line)`;
}

/** A record that was not deleted, and why. */
interface Refused {
  readonly record: MarkedRecord;
  readonly words: string;
}

async function sendBatch(
  client: Client,
  where: { readonly objectType: string; readonly tenantId: string | undefined },
  records: readonly MarkedRecord[],
): Promise<Refused[]> {
  const { results } = await client.resources.batchDelete({
    params: { objectType: where.objectType },
    tenantId: where.tenantId,
    // The version protects records that another user has changed since.
    body: { items: records.map(({ id, version }) => ({ id, version })) },
  });
  return results.flatMap(({ index, status, error }) => {
    const record = records[index];
    // 404: the record is already deleted.
    if (record === undefined || status < 400 || status === 404) return [];
    const words =
      status === 409 || status === 412
        ? "it was changed by another user"
        : (error?.detail ?? error?.title ?? `was refused (${status})`);
    return [{ record, words }];
  });
}

/** Whether the platform refused the whole request. */
function isRefusal(error: unknown): boolean {
  const { status = 0 } = error instanceof CatalogError ? error : {};
  return status >= 300 && status < 500;
}

function outcomeOf(
  deleted: number,
  name: string | undefined,
  refused: readonly Refused[],
  rest: readonly string[],
  isKnown: boolean,
): WorkOutcome {
  const head = `deleted ${name ?? counted(deleted, "record")}`;
  const none = isKnown ? "nothing was deleted" : "no deletion is confirmed";
  if (refused.length === 0 && rest.length === 0) return { good: true, lines: [head] };
  const named = refused
    .slice(0, namedRecords)
    .map(({ record, words }) => `${record.name} was not deleted: ${words}`);
  const more = refused.length - named.length;
  return {
    good: false,
    lines: [
      deleted === 0 ? none : head,
      ...named,
      ...(more > 0 ? [`and ${counted(more, "record")} more`] : []),
      ...rest,
    ],
  };
}

/** Asks with the names of the records, then deletes them in batches. */
export function useBatchDelete(): (request: BatchDelete) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();

  const start = ({ objectType, chosen, onEnd }: BatchDelete) => {
    if (client === undefined) return;
    const name = chosen.length === 1 ? chosen[0]?.name : undefined;
    overlays.show({
      kind: "work",
      work: {
        title: `Delete ${name ?? counted(chosen.length, "record")}`,
        counted: "records sent for deletion",
        stop: `stops before the next ${batchSize}`,
        run: async (report, signal) => {
          const left = new Map(chosen.map((record) => [record.id, record]));
          const refused: Refused[] = [];
          const rest: string[] = [];
          let isKnown = true;
          report({ done: 0, total: chosen.length });
          for (let at = 0; at < chosen.length && rest.length === 0; at += batchSize) {
            const batch = chosen.slice(at, at + batchSize);
            try {
              const refusals = await sendBatch(client, { objectType, tenantId }, batch);
              const refusedIds = new Set(refusals.map(({ record }) => record.id));
              for (const { id } of batch) if (!refusedIds.has(id)) left.delete(id);
              refused.push(...refusals);
            } catch (error) {
              if (isAbort(error)) throw error;
              isKnown = isRefusal(error);
              const records = `the ${counted(batch.length, "record")} of this request`;
              rest.push(
                failureLine(error),
                isKnown
                  ? `${records} were not deleted`
                  : `it is unknown whether ${records} were deleted: look again`,
              );
            }
            report({ done: Math.min(at + batchSize, chosen.length), total: chosen.length });
            const unsent = chosen.length - at - batch.length;
            if (unsent > 0 && signal.aborted) rest.push("stopped");
            if (unsent > 0 && rest.length > 0) {
              rest.push(`${counted(unsent, "record")} were not sent; they stay marked`);
            }
          }
          onEnd(new Set(left.keys()));
          return outcomeOf(chosen.length - left.size, name, refused, rest, isKnown);
        },
      },
    });
  };

  return (request) => {
    const { objectType, chosen } = request;
    const [first] = chosen;
    if (first === undefined) return;
    const what = chosen.length === 1 ? first.name : counted(chosen.length, "record");
    const more = chosen.length - namedRecords;
    overlays.show({
      kind: "confirm",
      question: {
        title: `Delete ${what}`,
        effects: [
          ...(chosen.length === 1 ? [] : [`${what} of the type ${objectType}:`]),
          ...chosen
            .slice(0, namedRecords)
            .map(
              ({ name, version }) =>
                `${objectType} ${clipText(name, longestName)}, version ${version}`,
            ),
          ...(more > 0 ? [`and ${counted(more, "record")} more`] : []),
          `with ${chosen.length === 1 ? "its" : "their"} files; this can't be undone`,
        ],
        command: deleteCommand(objectType, chosen),
        typed: objectType,
        onConfirm: () => start(request),
      },
    });
  };
}
