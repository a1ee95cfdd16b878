import type { TextFacts } from "../shell/keys.ts";
import type { DocumentKeys } from "./keys.ts";
import { shellKeys } from "../shell/keys.ts";
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
import { lostWords, useOpenedRow, type Opened } from "../kit/lists/use-opened-row.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { useSelected } from "../kit/state/store.ts";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useMemberNames } from "../shell/platform/use-member-names.ts";
import { useRouter } from "../shell/use-router.ts";
import { useUploads } from "../shell/use-uploads.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { jsonLines } from "../kit/text/styled-lines.ts";
import { keyOffer } from "../kit/keys/keys.ts";

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
  const opened = useOpenedRow("documents", list, panes.detailChosen);
  const remove = useDocumentRemoval(() => {
    list.refresh();
    panes.close();
  });
  const columns = useMemo(() => documentColumns(nowMs), [nowMs]);
  const hasText = useSelected(list.cursor, () => {
    const { row } = opened.get();
    return row === undefined ? undefined : (row.pages ?? 0) > 0;
  });
  useKeys<DocumentKeys, TextFacts>(
    "place",
    {
      filter: panes.listHidden ? undefined : filter.start,
      upload: uploads.start,
      readText: opened.act(({ documentId }) => go({ place: "documents", documentId })),
      ask: opened.act((row) => {
        const subject = { documentId: row.documentId, name: documentName(row) };
        go({ place: "chat", subjects: [subject] });
      }),
      review: opened.act(({ documentId }) => go({ place: "documents", documentId, review: "" })),
      reviewQueue: () => go({ place: "documents", queue: true }),
      delete: opened.act(remove),
      copyCommand: opened.act(({ documentId }) =>
        copyCommand.inWorkspace(["docs", "get", documentId]),
      ),
      goBack: panes.detailFocused ? panes.close : filter.text === "" ? back : filter.clear,
    },
    {
      active: !filter.typing,
      facts: { rows: hasText === undefined ? 0 : Math.max(1, list.count), hasText },
    },
  );
  return (
    <ListDetail<DocumentRecord>
      panes={panes}
      opened={opened}
      {...filteredList(filter, list.failure, "document", {
        words: "This workspace has no documents yet.",
        next: `${keyOffer(shellKeys.upload, "uploads a file", role)}.`,
      })}
      title="Documents"
      facts={filter.facts}
      list={list}
      columns={columns}
      loading="Loading documents"
      missing={{
        words: "This platform does not list documents. `svc docs get <id>` shows one.",
        next: `${keyOffer(shellKeys.upload, "uploads a file", role)}.`,
      }}
      detail={(shown, area, focused) => (
        <DocumentDetail
          shown={shown}
          caution={shown.isLost ? lostWords(filter.text) : undefined}
          area={area}
          focused={focused}
        />
      )}
    />
  );
}

const keyOf = ({ documentId }: DocumentRecord) => documentId;

function DocumentDetail(props: {
  readonly shown: Opened<DocumentRecord>;
  readonly caution: string | undefined;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { shown, ...pane } = props;
  const { row, isLost } = shown;
  const { value: lost } = useDocument(isLost ? row?.documentId : undefined);
  const document = isLost ? (lost ?? row) : row;
  const nameOf = useMemberNames([document?.createdBy]);
  const views = useMemo(
    () => ({
      record: (one: DocumentRecord, width: number) => documentLines(one, width, nameOf),
      json: jsonLines,
    }),
    [nameOf],
  );
  return (
    <DetailPane<DocumentRecord>
      {...pane}
      kind="document"
      title={document === undefined ? "details" : documentName(document)}
      item={document}
      keyOf={keyOf}
      views={views}
    />
  );
}
