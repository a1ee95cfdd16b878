import type { DocumentRecord } from "#client/index.ts";
import { documentName } from "./words.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useCommandLines } from "../shell/platform/use-command-lines.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

/** Deletes a document after the user has typed its number; reports a partial deletion. */
export function useDocumentRemoval(onChanged: () => void): (document: DocumentRecord) => void {
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const commands = useCommandLines();
  const documents = client?.useDocuments(tenantId);
  return (document) => {
    const number = document.documentNumber ?? document.documentId;
    const path = `/v4/data/documents/records/${encodeURIComponent(document.documentId)}`;
    overlays.confirm({
      title: `Delete ${number}`,
      effects: [
        `the file ${documentName(document)}, its text, fields and passages`,
        "its record or workflow stays; this can't be undone",
      ],
      command: commands.inWorkspace(["publicapi", "delete", path]),
      typed: number,
      onConfirm: () => {
        documents?.delete(document.documentId).then((receipt) => {
          if (receipt.complete === false)
            say("failed", `${number} is only partly deleted; try again`);
          else say("done", `deleted ${number}`);
          onChanged();
        }, sayFailure);
      },
    });
  };
}
