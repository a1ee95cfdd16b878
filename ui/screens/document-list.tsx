import { useMemo } from "react";
import type { DocumentRecord } from "#client/index.ts";
import { commandLine } from "../command-line.ts";
import { DetailPane } from "../components/detail-pane.tsx";
import { ListDetail } from "../components/list-detail.tsx";
import { listRows } from "../components/list-pane.tsx";
import { documentColumns, documentLines, documentName } from "../document-words.ts";
import { documentFields, otherDocumentFields } from "../document-fields.ts";
import { useCopy } from "../hooks/use-copy.ts";
import { useDocumentRemoval } from "../hooks/use-document-removal.ts";
import { useDocument, useDocuments } from "../hooks/use-documents.ts";
import { useFilter } from "../hooks/use-filter.tsx";
import { lostWords, useHeldRow } from "../hooks/use-held-row.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { useMasterDetail } from "../hooks/use-master-detail.ts";
import { useNow } from "../hooks/use-now.ts";
import { usePeople } from "../hooks/use-people.ts";
import { useRouter } from "../hooks/use-router.tsx";
import { useUploads } from "../hooks/use-uploads.tsx";
import { useRole } from "../hooks/use-workspaces.ts";
import { jsonLines } from "../styled-lines.ts";
import { filterHint, keyOffer } from "../keys.ts";

const agesMs = 30_000;

/** The documents of the workspace and the record of the selected one. */
export function DocumentListScreen() {
  const { go, back } = useRouter();
  const copy = useCopy();
  const uploads = useUploads();
  const role = useRole();
  const nowMs = useNow(agesMs);
  const filter = useFilter(
    "documents",
    documentFields,
    "status:ready  filename:plan  size>1000000",
    otherDocumentFields,
  );
  const panes = useMasterDetail(!filter.typing);
  const list = useDocuments(filter.where, listRows(panes.listHeight - filter.rows));
  const held = useHeldRow("documents", list, panes.detailChosen);
  const { value: lost } = useDocument(held.isLost ? held.row?.documentId : undefined);
  // What is looked at: the list may have another row selected by now.
  const selected = held.isLost ? (lost ?? held.row) : held.row;
  const nameOf = usePeople([selected?.createdBy]);
  const views = useMemo(
    () => ({
      record: (document: DocumentRecord, width: number) => documentLines(document, width, nameOf),
      json: jsonLines,
    }),
    [nameOf],
  );
  const remove = useDocumentRemoval(() => {
    list.refresh();
    panes.close();
  });
  const columns = useMemo(() => documentColumns(nowMs), [nowMs]);
  const hasText = selected === undefined ? undefined : (selected.pages ?? 0) > 0;
  useKeys(
    "place",
    {
      filter: panes.listHidden ? undefined : filter.start,
      upload: uploads.start,
      readText: () =>
        selected !== undefined && go({ place: "documents", documentId: selected.documentId }),
      ask: () =>
        selected !== undefined &&
        go({
          place: "chat",
          subjects: [{ documentId: selected.documentId, name: documentName(selected) }],
        }),
      delete: () => selected !== undefined && remove(selected),
      copyCommand: () =>
        selected !== undefined && copy(commandLine(["docs", "get", selected.documentId])),
      goBack: panes.detailFocused ? panes.close : filter.text === "" ? back : filter.clear,
    },
    {
      active: !filter.typing,
      facts: { rows: selected === undefined ? 0 : Math.max(1, list.count), hasText },
    },
  );
  return (
    <ListDetail<DocumentRecord>
      panes={panes}
      above={filter.above(list.failure)}
      title="Documents"
      facts={filter.text === "" ? [] : [`filter ${filter.text}`]}
      list={list}
      mend={filter.mend(list.failure)}
      columns={columns}
      loading="Loading documents"
      empty={
        filter.text === ""
          ? {
              words: "This workspace has no documents yet.",
              next: `${keyOffer("upload", "uploads a file", role)}.`,
            }
          : { words: "No document fits this filter.", next: filterHint() }
      }
      detail={(area, focused) => (
        <DetailPane<DocumentRecord>
          key="detail"
          area={area}
          kind="document"
          title={selected === undefined ? "details" : documentName(selected)}
          item={selected}
          keyOf={(document) => document.documentId}
          views={views}
          focused={focused}
          caution={held.isLost ? lostWords(filter.text) : undefined}
        />
      )}
    />
  );
}
