import { CatalogError, type Client } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { clipText } from "../../kit/text/text-layout.ts";
import { failureLine, isAbort } from "../../kit/answers/failure.ts";
import type { WorkOutcome } from "../../kit/state/work.ts";
import type { MarkedRecord } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";

/** Records of one request; Esc stops between two of them. */
const batchSize = 500;
/** Records that a question, a command and an outcome name one by one. */
const namedRecords = 6;
const namedIds = 3;
/** Columns of a name in the question: a long one leaves the others their room. */
const longestName = 60;

export interface BatchDelete {
  readonly objectType: string;
  readonly chosen: readonly MarkedRecord[];
  /** Told which of them are gone, and which are still there or may be. */
  readonly onEnd: (left: ReadonlySet<string>) => void;
}

/** The command that deletes the same. */
function deleteCommand(objectType: string, chosen: readonly MarkedRecord[]): string {
  const [only] = chosen;
  if (chosen.length === 1 && only !== undefined) {
    return commandLine(["resources", "delete", objectType, only.id]);
  }
  const ids = chosen.length <= namedIds ? chosen.map(({ id }) => id).join(",") : "@ids.txt";
  const command = commandLine(["resources", "batch-delete", objectType], { ids });
  return chosen.length <= namedIds ? command : `${command}   (ids.txt: their ids, one a line)`;
}

/** What came of one item: nothing where it is gone, else why it is still there. */
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
    // With its version, so that what somebody changed since it was looked at stays.
    body: { items: records.map(({ id, version }) => ({ id, version })) },
  });
  return results.flatMap(({ index, status, error }) => {
    const record = records[index];
    // Gone already is what was wanted.
    if (record === undefined || status < 400 || status === 404) return [];
    const words =
      status === 409 || status === 412
        ? "somebody changed it since"
        : (error?.detail ?? error?.title ?? `was refused (${status})`);
    return [{ record, words }];
  });
}

/** Whether the platform itself said that it does nothing of what was asked. */
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
  const none = isKnown ? "nothing was deleted" : "no record is known to be deleted";
  if (refused.length === 0 && rest.length === 0) return { good: true, lines: [head] };
  const named = refused
    .slice(0, namedRecords)
    .map(({ record, words }) => `${record.name} is still there: ${words}`);
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

/** Deleting many records: asked with their names first, then batch by batch. */
export function useBatchDelete(): (wanted: BatchDelete) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();

  const start = ({ objectType, chosen, onEnd }: BatchDelete) => {
    if (client === undefined) return;
    const name = chosen.length === 1 ? chosen[0]?.name : undefined;
    overlays.show({
      kind: "work",
      work: {
        title: `Delete ${name ?? counted(chosen.length, "record")}`,
        counted: "records asked to be deleted",
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
              const still = await sendBatch(client, { objectType, tenantId }, batch);
              const kept = new Set(still.map(({ record }) => record.id));
              for (const { id } of batch) if (!kept.has(id)) left.delete(id);
              refused.push(...still);
            } catch (error) {
              if (isAbort(error)) throw error;
              isKnown = isRefusal(error);
              const asked = `the ${counted(batch.length, "record")} of this request`;
              rest.push(
                failureLine(error),
                isKnown
                  ? `${asked} are still there`
                  : `whether ${asked} are gone is not known: look again`,
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

  return (wanted) => {
    const { objectType, chosen } = wanted;
    const [only] = chosen;
    if (only === undefined) return;
    const what = chosen.length === 1 ? only.name : counted(chosen.length, "record");
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
        onConfirm: () => start(wanted),
      },
    });
  };
}
