import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Client, ObjectType, Resource } from "#client/index.ts";
import { saveAtomically } from "#lib/atomic-write.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { commandLine } from "../command-line.ts";
import { exportChunks, type ExportFormat } from "../export-file.ts";
import { isAbort } from "../failure.ts";
import { absolutePath } from "../files.ts";
import type { WorkOutcome } from "../work.ts";
import { countWords, sizeWords } from "../words.ts";
import { useFolders } from "./use-folders.tsx";
import type { MarkedRecords } from "./use-marks.ts";
import { useNotices } from "./use-notices.tsx";
import { useOverlays } from "./use-overlays.tsx";
import { usePlatform } from "./use-platform.tsx";

export interface ExportWish {
  readonly type: ObjectType;
  /** These ones, or everything that the list shows where there are none. */
  readonly marked: MarkedRecords;
  readonly where: string | undefined;
  readonly sort: string;
  /** How many the list shows, where that is known. */
  readonly count: number | undefined;
  /** The table's columns. */
  readonly columns: readonly string[];
}

const pageSize = 500;
/** Marked records are asked for by their ids, which travel in the address. */
const idsAtOnce = 100;

interface Kind {
  readonly id: string;
  readonly words: string;
  readonly format: ExportFormat;
  readonly columnsOf: (wish: ExportWish) => readonly string[];
}

const everyField = ({ type }: ExportWish) => [
  ...new Set(["id", "version", ...Object.keys(type.properties), "created_at", "updated_at"]),
];

const kinds: readonly Kind[] = [
  { id: "ndjson", words: "NDJSON: a record a line", format: "ndjson", columnsOf: () => [] },
  { id: "csv", words: "CSV: every field", format: "csv", columnsOf: everyField },
  {
    id: "csv-table",
    words: "CSV: the table's columns",
    format: "csv",
    columnsOf: ({ columns }) => columns,
  },
  { id: "json", words: "JSON: one list", format: "json", columnsOf: () => [] },
];

interface Job {
  readonly wish: ExportWish;
  readonly kind: Kind;
  readonly path: string;
  /** Replacing a file was asked for. */
  readonly mayReplace: boolean;
}

function fileNameOf({ wish, kind }: Pick<Job, "wish" | "kind">): string {
  return `${wish.type.slug}-${new Date().toISOString().slice(0, 10)}.${kind.format}`;
}

/** The command that writes the same, where there is one. */
function commandWords({ type, marked, where, sort }: ExportWish, { id, format }: Kind): string {
  if (marked.size > 0 || format === "json" || id === "csv-table") return "";
  const options = { where, sort, format };
  return ` As a command: ${commandLine(["resources", "list", type.slug, "--all"], options)}`;
}

/** The marked records as they are now, in the order in which they were marked. */
async function* markedRecords(
  records: ReturnType<Client["useResources"]>,
  marked: MarkedRecords,
  signal: AbortSignal,
): AsyncGenerator<Resource, void, undefined> {
  const ids = [...marked.keys()];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const wanted = ids.slice(at, at + idsAtOnce);
    const where = { id: { $in: wanted } };
    const { items } = await records.list({ where, limit: wanted.length, signal });
    const byId = new Map(items.map((record) => [record.id, record]));
    for (const id of wanted) {
      const record = byId.get(id);
      if (record !== undefined) yield record;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Somebody made a file of this name while ours was written. */
class FileAppeared extends Error {}

/** Lets the last chunk through only while the name is still free. */
async function* unlessTaken(
  chunks: AsyncIterable<Uint8Array>,
  job: Job,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
  if (!job.mayReplace && (await exists(job.path))) throw new FileAppeared();
}

function failedOutcome(error: unknown, { path }: Job): WorkOutcome {
  if (isAbort(error)) return { good: true, lines: ["stopped; no file was written"] };
  if (error instanceof FileAppeared) {
    return {
      good: false,
      lines: [`${path} was made by somebody else meanwhile`, "It was left alone."],
    };
  }
  const code = systemErrorCode(error);
  if (code === undefined) throw error;
  const why = code === "ENOENT" ? "its folder does not exist" : systemErrorWords(error);
  return { good: false, lines: [`${path} was not written: ${why}`] };
}

/** Writing the marked records, or all that the list shows, to a file of the user's. */
export function useExport(): (wish: ExportWish) => void {
  const { client, session } = usePlatform();
  const overlays = useOverlays();
  const { sayFailure } = useNotices();
  const { currentDirectory, homeDirectory } = useFolders();
  const tenantId = session.workspace?.id;

  const write = (job: Job) => {
    if (client === undefined) return;
    const { wish, kind, path } = job;
    const total = wish.marked.size > 0 ? wish.marked.size : wish.count;
    overlays.show({
      kind: "work",
      work: {
        title: `Export ${wish.type.slug}`,
        counted: "records written",
        stop: "stops, and leaves no file",
        run: async (report, signal) => {
          const resources = client.useResources(wish.type.slug, { tenantId });
          const { where, sort } = wish;
          const records =
            wish.marked.size > 0
              ? markedRecords(resources, wish.marked, signal)
              : resources.all({ where, sort, pageSize, signal });
          let done = 0;
          const chunks = exportChunks(records, kind.format, kind.columnsOf(wish), (count) => {
            signal.throwIfAborted();
            done = count;
            report({ done, total });
          });
          try {
            const size = await saveAtomically(path, unlessTaken(chunks, job));
            const missing = wish.marked.size - done;
            const gone = missing > 0 ? `; ${countWords(missing)} marked ones are gone` : "";
            return {
              good: true,
              lines: [`wrote ${countWords(done)} records to ${path} (${sizeWords(size)})${gone}`],
            };
          } catch (error) {
            return failedOutcome(error, job);
          }
        },
      },
    });
  };

  const check = async (job: Job): Promise<void> => {
    const facts = await stat(job.path).catch(() => undefined);
    if (facts === undefined) return write(job);
    if (facts.isDirectory()) return check({ ...job, path: join(job.path, fileNameOf(job)) });
    overlays.show({
      kind: "confirm",
      question: {
        title: "Replace this file",
        effects: [
          `${job.path}, ${sizeWords(facts.size)}, of ${facts.mtime.toISOString().slice(0, 16).replace("T", " ")}`,
          "what is in it now is lost",
        ],
        onConfirm: () => write({ ...job, mayReplace: true }),
      },
    });
  };

  const askPath = (wish: ExportWish, kind: Kind) => {
    const what =
      wish.marked.size > 0
        ? `the ${countWords(wish.marked.size)} marked records`
        : wish.count === undefined
          ? "all records that the list shows"
          : `the ${countWords(wish.count)} records that the list shows`;
    overlays.show({
      kind: "ask",
      question: {
        title: `Export ${wish.type.slug}`,
        words:
          `A file for ${what}, as ${kind.words}. Only you will be able to read it.` +
          commandWords(wish, kind),
        initial: join(currentDirectory, fileNameOf({ wish, kind })),
        placeholder: "a path",
        onAnswer: (typed) => {
          const path = absolutePath(typed, currentDirectory, homeDirectory);
          check({ wish, kind, path, mayReplace: false }).catch(sayFailure);
        },
      },
    });
  };

  return (wish) =>
    overlays.show({
      kind: "choose",
      title: `Export ${wish.type.slug} as`,
      placeholder: "a format",
      choices: kinds.map((kind) => ({
        id: kind.id,
        words: kind.words,
        choose: () => askPath(wish, kind),
      })),
    });
}
