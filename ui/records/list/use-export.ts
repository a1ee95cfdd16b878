import { useCommandLines, type WriteCommand } from "../../shell/use-copy.ts";
import type { Client, ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { systemFields } from "#contract/shared-names.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { exportChunks, type ExportFormat } from "./export-file.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";
import { keyWords } from "../../kit/keys/keys.ts";
import { countWords, localDateWords, sizeWords } from "../../kit/text/words.ts";
import type { MarkedRecords } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";

interface ExportRequest {
  readonly type: ObjectType;
  /** If it is empty, the export has all records of the list. */
  readonly marked: MarkedRecords;
  readonly where: string | undefined;
  readonly sort: string;
  readonly count: number | undefined;
  readonly columns: readonly string[];
}

const pageSize = 500;
const idsAtOnce = 100;
const mostCommand = 400;

interface Kind {
  readonly id: string;
  readonly words: string;
  readonly format: ExportFormat;
  readonly columnsOf: (request: ExportRequest) => readonly string[];
}

const everyField = ({ type }: ExportRequest) => [
  ...new Set<string>([...systemFields, ...Object.keys(dataFields(type))]),
];

const kinds: readonly Kind[] = [
  { id: "ndjson", words: "NDJSON: one record per line", format: "ndjson", columnsOf: () => [] },
  { id: "csv", words: "CSV: every field", format: "csv", columnsOf: everyField },
  {
    id: "csv-table",
    words: "CSV: the table's columns",
    format: "csv",
    columnsOf: ({ columns }) => columns,
  },
  { id: "json", words: "JSON: one list", format: "json", columnsOf: () => [] },
];

function fileNameOf({ type }: ExportRequest, { format }: Kind): string {
  return `${type.slug}-${localDateWords(Date.now())}.${format}`;
}

/** The command that writes the same file; none for JSON, and for more marks than it can name. */
function commandOf(request: ExportRequest, kind: Kind, write: WriteCommand): string | undefined {
  const { type, marked, sort } = request;
  const { id, format } = kind;
  if (format === "json" || marked.size > idsAtOnce) return undefined;
  const chosen = JSON.stringify({ id: { $in: [...marked.keys()] } });
  const where = marked.size > 0 ? chosen : request.where;
  const columns = id === "csv-table" ? request.columns.join(",") : undefined;
  const options = { all: true, where, sort, columns, format };
  const command = write(["resources", "list", type.slug], options);
  return `${command} > ${shellWord(fileNameOf(request, kind))}`;
}

/** A command in a question; a long one is left to the clipboard. */
function commandWords(command: string | undefined): string {
  if (command === undefined) return "";
  const copies = `${keyWords("ctrl+y")} copies the command`;
  return command.length > mostCommand ? ` ${copies}.` : ` ${copies}: ${command}`;
}

/** The current versions of the marked records, in the order of the marks. */
async function* markedRecords(
  records: ReturnType<Client["useResources"]>,
  marked: MarkedRecords,
  signal: AbortSignal,
): AsyncGenerator<Resource, void, undefined> {
  const ids = [...marked.keys()];
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const batch = ids.slice(at, at + idsAtOnce);
    const where = { id: { $in: batch } };
    const { items } = await records.list({ where, limit: batch.length, signal });
    const byId = new Map(items.map((record) => [record.id, record]));
    yield* batch.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Exports the marked records, or all records of the list, to a file. */
export function useExport(): (request: ExportRequest) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const askForPath = useSavePath();
  const commands = useCommandLines();

  const write = (request: ExportRequest, kind: Kind, target: SaveTarget) => {
    if (client === undefined) return;
    const total = request.marked.size > 0 ? request.marked.size : request.count;
    overlays.work({
      title: `Export ${request.type.slug}`,
      counted: "records written",
      stop: "stops, and leaves no file",
      run: async (report, signal) => {
        const resources = client.useResources(request.type.slug, { tenantId });
        const { where, sort } = request;
        const records =
          request.marked.size > 0
            ? markedRecords(resources, request.marked, signal)
            : resources.all({ where, sort, pageSize, signal });
        let done = 0;
        const chunks = exportChunks(records, kind.format, kind.columnsOf(request), (count) => {
          signal.throwIfAborted();
          done = count;
          report({ done, total });
        });
        try {
          const size = await saveFile(target, chunks);
          const missing = request.marked.size - done;
          const gone = missing > 0 ? `; ${countWords(missing)} marked records are gone` : "";
          const written = `wrote ${counted(done, "record")} to ${target.path}`;
          return { good: true, lines: [`${written} (${sizeWords(size)})${gone}`] };
        } catch (error) {
          return saveFailure(error, target);
        }
      },
    });
  };

  const askPath = (request: ExportRequest, kind: Kind) => {
    const what =
      request.marked.size > 0
        ? `the ${counted(request.marked.size, "marked record")}`
        : request.count === undefined
          ? "all records of the list"
          : `the ${counted(request.count, "record")} of the list`;
    const command = commandOf(request, kind, commands.inWorkspace);
    askForPath({
      title: `Export ${request.type.slug}`,
      words: `A file for ${what}, as ${kind.words}. Only you can read it.` + commandWords(command),
      command,
      filename: fileNameOf(request, kind),
      onTarget: (target) => write(request, kind, target),
    });
  };

  return (request) =>
    overlays.choose({
      title: `Export ${request.type.slug} as`,
      placeholder: "a format",
      choices: kinds.map((kind) => ({
        id: kind.id,
        words: kind.words,
        choose: () => askPath(request, kind),
      })),
    });
}
