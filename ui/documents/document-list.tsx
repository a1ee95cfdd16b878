import { filteredList } from "../kit/filter/filtered-list.tsx";
import { useMemo } from "react";
import type { DocumentRecord } from "#client/index.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { documentColumns, documentLines, documentName } from "./words.ts";
import { documentFields, otherDocumentFields } from "./filter-fields.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useDocumentRemoval } from "./use-document-removal.ts";
import { useDocument, useDocuments } from "./use-documents.ts";
import { useFilter } from "../kit/filter/use-filter.ts";
import { lostWords, useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useAgeTime } from "../kit/keys/use-age-time.ts";
import { useMemberNames } from "../shell/platform/use-member-names.ts";
import { useRouter } from "../shell/use-router.tsx";
import { useUploads } from "../shell/use-uploads.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { jsonLines } from "../kit/text/styled-lines.ts";
import { keyOffer } from "../kit/keys/key-table.ts";

export function DocumentListScreen() {
  const { go, back } = useRouter();
  const copyCommand = useCopyCommand();
  const uploads = useUploads();
  const role = useRole();
  const filter = useFilter(
    "documents",
    documentFields,
    "status:ready  filename:plan  size>1000000",
    otherDocumentFields,
  );
  const panes = useMasterDetail(!filter.typing);
  const list = useDocuments(filter.where, listRows(panes.listHeight - filter.rows));
  const nowMs = useAgeTime(list.sample);
  const { row, isLost } = useOpenedRow("documents", list, panes.detailChosen);
  const { value: lost } = useDocument(isLost ? row?.documentId : undefined);
  // The opened document; the list may already have another row selected.
  const selected = isLost ? (lost ?? row) : row;
  const nameOf = useMemberNames([selected?.createdBy]);
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
      review: () =>
        selected !== undefined &&
        go({ place: "documents", documentId: selected.documentId, review: "" }),
      reviewQueue: () => go({ place: "documents", queue: true }),
      delete: () => selected !== undefined && remove(selected),
      copyCommand: () =>
        selected !== undefined && copyCommand.inWorkspace(["docs", "get", selected.documentId]),
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
      {...filteredList(filter, list.failure, "document", {
        words: "This workspace has no documents yet.",
        next: `${keyOffer("upload", "uploads a file", role)}.`,
      })}
      title="Documents"
      facts={filter.facts}
      list={list}
      columns={columns}
      loading="Loading documents"
      missing={{
        words: "This platform does not list documents. `svc docs get <id>` shows one.",
        next: `${keyOffer("upload", "uploads a file", role)}.`,
      }}
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
          caution={isLost ? lostWords(filter.text) : undefined}
        />
      )}
    />
  );
}
