import { useCommandLines } from "../../shell/use-copy.ts";
import { basename } from "node:path";
import type { ObjectType, Resource } from "#client/index.ts";
import { savedName } from "#lib/files/saved-name.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { sizeWords } from "../../kit/text/words.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useSavePath } from "../../shell/overlays/use-save-path.ts";
import { useNotices } from "../../shell/notices.ts";
import { useReportedWork } from "../../shell/notices.ts";
import { useRecordClient } from "../use-resources.ts";
import type { RecordFile } from "./file-values.ts";
import { useFileTransfers } from "./use-file-transfers.ts";

/** The questions before a file of a record is saved, uploaded or deleted. */
export function useRecordFiles(type: ObjectType, record: Resource, onChanged: () => void) {
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const askForPath = useSavePath();
  const run = useReportedWork(onChanged);
  const transfers = useFileTransfers(type, record, onChanged);
  const records = useRecordClient(type.slug);
  const name = recordName(record);

  const commands = useCommandLines();
  const fileWords = (verb: string) => ["resources", "file", verb, type.slug, record.id];
  const sayNoFile = ({ property }: RecordFile) => say("note", `there is no file on ${property}`);

  const upload = ({ stored, property }: RecordFile, path: string) => {
    const send = () => void transfers.upload(property, path).catch(sayFailure);
    if (stored === undefined) return send();
    overlays.confirm({
      title: `Replace the file ${property}`,
      effects: [
        `${stored.filename}, ${sizeWords(stored.size)}: its bytes can no longer be read`,
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
          "its bytes can no longer be read; this can't be undone",
        ],
        command: commands.inWorkspace([...fileWords("delete"), property], { force: true }),
        typed: property,
        onConfirm: () =>
          run(async () => {
            await records.deleteFile(record.id, property);
            return `deleted the file ${property}`;
          }),
      });
    },
  };
}
