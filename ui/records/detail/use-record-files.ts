import { useCommandLines } from "../../shell/use-copy.ts";
import { basename } from "node:path";
import type { ObjectType, Resource } from "#client/index.ts";
import { savedName } from "#lib/files/saved-name.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { sizeWords } from "../../kit/text/words.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";
import { useNotices, useReportedWork } from "../../shell/notices.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { recordKeys } from "../keys.ts";
import { useRecordClient } from "../use-resources.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import type { RecordFile } from "./file-values.ts";
import { isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";

async function* withProgress(
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

/** Downloads and uploads the file of one property, with a progress dialog that Esc stops. */
function useFileTransfers(type: ObjectType, record: Resource, onChanged: () => void) {
  const { say } = useNotices();
  const overlays = useOverlays();
  const records = useRecordClient(type.slug);
  const note = useChangeLog();

  const download = (property: string, target: SaveTarget) => {
    if (records === undefined) return;
    overlays.work({
      title: `Save ${property} of ${recordName(record, type)}`,
      counted: "saved",
      wordsOf: sizeWords,
      stop: "stops, and leaves no file",
      run: async (report, signal) => {
        const content = await records.downloadFile(record.id, property, { signal });
        const chunks = withProgress(content.chunks(), signal, (done) =>
          report({ done, total: content.size }),
        );
        try {
          const size = await saveFile(target, chunks);
          const checked = content.sha256 === undefined ? "" : ", digest verified";
          return { good: true, lines: [`wrote ${target.path} (${sizeWords(size)}${checked})`] };
        } catch (error) {
          await content.response.body?.cancel().catch(() => {});
          return saveFailure(error, target);
        }
      },
    });
  };

  const upload = async (property: string, path: string) => {
    if (records === undefined) return;
    if ((await fileSize(path)) === undefined) {
      say("failed", `There is no file ${path}`);
      return;
    }
    const filename = basename(path);
    overlays.work({
      title: `Upload ${filename} to ${property} of ${recordName(record, type)}`,
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
          if (version !== undefined) {
            note(`upload ${filename}`, [writeOf(type, { ...record, version }, "changed")]);
          }
          const words = version === undefined ? "" : `; the record is version ${version}`;
          return { good: true, lines: [`${filename} is on ${property}${words}`] };
        } catch (error) {
          if (!isAbort(error)) throw error;
          return { good: true, lines: [`stopped; ${property} shows what the platform stored`] };
        } finally {
          onChanged();
        }
      },
    });
  };

  return { download, upload };
}

/** The questions before a file of a record is saved, uploaded or deleted. */
export function useRecordFiles(type: ObjectType, record: Resource, onChanged: () => void) {
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const askForPath = useSavePath();
  const run = useReportedWork(onChanged);
  const transfers = useFileTransfers(type, record, onChanged);
  const records = useRecordClient(type.slug);
  const note = useChangeLog();
  const name = recordName(record, type);

  const commands = useCommandLines();
  const fileWords = (verb: string) => ["resources", "file", verb, type.slug, record.id];
  const sayNoFile = ({ property }: RecordFile) => say("note", `there is no file on ${property}`);

  const upload = ({ stored, property }: RecordFile, path: string) => {
    const send = () => void transfers.upload(property, path).catch(sayFailure);
    if (stored === undefined) return send();
    overlays.confirm({
      title: `Replace the file ${property}`,
      effects: [
        `${stored.filename}, ${sizeWords(stored.size)}: ${keyName(recordKeys.undo)} brings it back`,
        `${basename(path)} replaces it`,
      ],
      command: commands.inWorkspace([...fileWords("upload"), property, path]),
      onConfirm: send,
    });
  };

  return {
    save: (file: RecordFile) => {
      const { stored, property } = file;
      if (stored === undefined) return sayNoFile(file);
      askForPath({
        title: `Save ${property} of ${name}`,
        words: `${stored.filename}, ${sizeWords(stored.size)}. The file appears when the download is complete and its digest is verified.`,
        filename: savedName(stored.filename, "file"),
        onTarget: (target) => transfers.download(property, target),
      });
    },
    upload: (file: RecordFile) =>
      overlays.show({
        kind: "file",
        title: `A file for ${file.property} of ${name}`,
        onPick: (path) => upload(file, path),
      }),
    remove: (file: RecordFile) => {
      const { property, stored } = file;
      if (stored === undefined || records === undefined) return sayNoFile(file);
      overlays.confirm({
        title: `Delete the file ${property}`,
        effects: [
          `${stored.filename}, ${sizeWords(stored.size)}, of ${type.slug} ${name}`,
          `${keyName(recordKeys.undo)} or \`svc resources restore\` brings it back`,
        ],
        command: commands.inWorkspace([...fileWords("delete"), property], { force: true }),
        typed: property,
        onConfirm: () =>
          run(async () => {
            await records.deleteFile(record.id, property);
            const version = record.version + 1;
            note(`delete the file ${property}`, [writeOf(type, { ...record, version }, "changed")]);
            return `deleted the file ${property}`;
          }),
      });
    },
  };
}
