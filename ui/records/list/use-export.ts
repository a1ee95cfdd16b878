import type { Client, ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { systemFields } from "#contract/resources/system-fields.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { exportChunks, type ExportFormat } from "./export-file.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";
import { countWords, localDateWords, sizeWords } from "../../kit/text/words.ts";
import type { MarkedRecords } from "./use-marks.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";

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
  ...new Set<string>([...systemFields, ...Object.keys(dataFields(type))]),
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

function fileNameOf({ type }: ExportWish, { format }: Kind): string {
  return `${type.slug}-${localDateWords(Date.now())}.${format}`;
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

/** Writing the marked records, or all that the list shows, to a file of the user's. */
export function useExport(): (wish: ExportWish) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const askForPath = useSavePath();

  const write = (wish: ExportWish, kind: Kind, target: SaveTarget) => {
    if (client === undefined) return;
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
            const size = await saveFile(target, chunks);
            const missing = wish.marked.size - done;
            const gone = missing > 0 ? `; ${countWords(missing)} marked ones are gone` : "";
            return {
              good: true,
              lines: [
                `wrote ${counted(done, "record")} to ${target.path} (${sizeWords(size)})${gone}`,
              ],
            };
          } catch (error) {
            return saveFailure(error, target);
          }
        },
      },
    });
  };

  const askPath = (wish: ExportWish, kind: Kind) => {
    const what =
      wish.marked.size > 0
        ? `the ${counted(wish.marked.size, "marked record")}`
        : wish.count === undefined
          ? "all records that the list shows"
          : `the ${counted(wish.count, "record")} that the list shows`;
    askForPath({
      title: `Export ${wish.type.slug}`,
      words:
        `A file for ${what}, as ${kind.words}. Only you will be able to read it.` +
        commandWords(wish, kind),
      filename: fileNameOf(wish, kind),
      onTarget: (target) => write(wish, kind, target),
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
