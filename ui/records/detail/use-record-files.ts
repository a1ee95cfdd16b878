import { basename } from "node:path";
import type { ObjectType, Resource } from "#client/index.ts";
import { savedName } from "#lib/saved-name.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import type { RecordFile } from "./record-files.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";
import { sizeWords } from "../../kit/text/words.ts";
import { useNotices } from "../../shell/use-notices.tsx";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";

export interface RecordFileActions {
  /** Asks where to, and saves the file's bytes once they have been held to their digest. */
  save(file: RecordFile): void;
  /** Asks for a file of this machine, and puts it on the property. */
  upload(file: RecordFile): void;
  /** Asks, and takes the file off its property. */
  remove(file: RecordFile): void;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
    bytes += chunk.byteLength;
    onBytes(bytes);
  }
  signal.throwIfAborted();
}

/** Files on a record's properties, fetched, put and taken away; each can be stopped with Esc. */
export function useRecordFiles(
  type: ObjectType,
  record: Resource,
  onChanged: () => void,
): RecordFileActions {
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const askForPath = useSavePath();
  const records = client?.useResources(type.slug, { tenantId });

  const fileWords = (verb: string) => ["resources", "file", verb, type.slug, record.id];

  const fetchTo = ({ property }: RecordFile, target: SaveTarget) => {
    if (records === undefined) return;
    overlays.show({
      kind: "work",
      work: {
        title: `Save ${property} of ${recordName(record)}`,
        counted: "saved",
        wordsOf: sizeWords,
        stop: "stops, and leaves no file",
        run: async (report, signal) => {
          const content = await records.downloadFile(record.id, property, { signal });
          const chunks = counted(content.chunks(), signal, (done) =>
            report({ done, total: content.size }),
          );
          try {
            const size = await saveFile(target, chunks);
            const held = content.sha256 === undefined ? "" : ", held to its digest";
            return { good: true, lines: [`wrote ${target.path} (${sizeWords(size)}${held})`] };
          } catch (error) {
            // What was not read is of no use to anybody.
            await content.response.body?.cancel().catch(() => {});
            return saveFailure(error, target);
          }
        },
      },
    });
  };

  const send = async ({ property }: RecordFile, path: string) => {
    if (records === undefined) return;
    if ((await fileSize(path)) === undefined) {
      say("failed", `There is no file ${path}`);
      return;
    }
    const filename = basename(path);
    overlays.show({
      kind: "work",
      work: {
        title: `Put ${filename} on ${property} of ${recordName(record)}`,
        counted: "sent",
        wordsOf: sizeWords,
        stop: "stops; the property stays as it is",
        run: async (report, signal) => {
          try {
            const { version } = await records.uploadFile(record.id, property, Bun.file(path), {
              filename,
              signal,
              onProgress: (done, total) => report({ done, total }),
            });
            const words = version === undefined ? "" : `; the record is version ${version}`;
            return { good: true, lines: [`${filename} is on ${property}${words}`] };
          } catch (error) {
            if (!isAbort(error)) throw error;
            return { good: true, lines: [`stopped; ${property} is shown as the platform has it`] };
          } finally {
            onChanged();
          }
        },
      },
    });
  };

  /** The bytes that stand there are gone once others stand in their place: that is asked first. */
  const sendOrAsk = (file: RecordFile, path: string) => {
    const { stored, property } = file;
    if (stored === undefined) return void send(file, path).catch(sayFailure);
    overlays.show({
      kind: "confirm",
      question: {
        title: `Replace the file ${property}`,
        effects: [
          `${stored.filename}, ${sizeWords(stored.size)}: nobody can read its bytes any more`,
          `${basename(path)} stands there instead`,
        ],
        command: commandLine([...fileWords("upload"), property, path]),
        onConfirm: () => void send(file, path).catch(sayFailure),
      },
    });
  };

  return {
    save: (file) => {
      const { stored, property } = file;
      if (stored === undefined) {
        say("note", `there is no file on ${property}`);
        return;
      }
      askForPath({
        title: `Save ${property} of ${recordName(record)}`,
        words: `${stored.filename}, ${sizeWords(stored.size)}. The file appears once all of it has come and fits its digest.`,
        filename: savedName(stored.filename, "file"),
        onTarget: (target) => fetchTo(file, target),
      });
    },
    upload: (file) =>
      overlays.show({
        kind: "file",
        title: `A file for ${file.property} of ${recordName(record)}`,
        onPick: (path) => sendOrAsk(file, path),
      }),
    remove: ({ property, stored }) => {
      if (stored === undefined || records === undefined) {
        say("note", `there is no file on ${property}`);
        return;
      }
      overlays.show({
        kind: "confirm",
        question: {
          title: `Delete the file ${property}`,
          effects: [
            `${stored.filename}, ${sizeWords(stored.size)}, of ${type.slug} ${recordName(record)}`,
            "nobody can read its bytes any more; this can't be undone",
          ],
          command: commandLine([...fileWords("delete"), property]),
          typed: property,
          onConfirm: () =>
            void records
              .deleteFile(record.id, property)
              .then(() => say("done", `deleted the file ${property}`), sayFailure)
              .finally(onChanged),
        },
      });
    },
  };
}
