import { basename } from "node:path";
import type { ObjectType, Resource } from "#client/index.ts";
import { isAbort } from "../../kit/answers/failure.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { fileSize } from "../../kit/files/files.ts";
import { saveFailure, saveFile, type SaveTarget } from "../../kit/files/save-file.ts";
import { sizeWords } from "../../kit/text/words.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useNotices } from "../../shell/notices.ts";
import { useRecordClient } from "../use-resources.ts";

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
export function useFileTransfers(type: ObjectType, record: Resource, onChanged: () => void) {
  const { say } = useNotices();
  const overlays = useOverlays();
  const records = useRecordClient(type.slug);

  const download = (property: string, target: SaveTarget) => {
    if (records === undefined) return;
    overlays.work({
      title: `Save ${property} of ${recordName(record)}`,
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
      title: `Upload ${filename} to ${property} of ${recordName(record)}`,
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
          return { good: true, lines: [`stopped; ${property} shows what the platform stored`] };
        } finally {
          onChanged();
        }
      },
    });
  };

  return { download, upload };
}
