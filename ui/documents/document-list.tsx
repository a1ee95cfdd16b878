import { useMemo } from "react";
import type { DocumentRecord } from "#client/index.ts";
import { lostWords } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import {
  listPlace,
  type DetailProps,
  type PlaceNow,
  type PlaceTable,
} from "../kit/places/list-place.tsx";
import { jsonLines } from "../kit/text/styled-lines.ts";
import { shellKeys, type TextFacts } from "../shell/keys.ts";
import { memberNamesPart } from "../shell/platform/member-names.ts";
import { useNames } from "../shell/platform/names.ts";
import { useRouter } from "../shell/router.ts";
import { useUploads } from "../shell/use-uploads.ts";
import { documentFields, otherDocumentFields } from "./filter-fields.ts";
import { documentRemoval } from "./actions.ts";
import type { DocumentKeys } from "./keys.ts";
import { documentKey, documentList, useDocument } from "./use-documents.ts";
import { documentColumns, documentLines, documentName } from "./words.ts";

type DocumentTable = PlaceTable<DocumentRecord>;

function useDocumentHandlers({ opened }: PlaceNow<DocumentRecord, DocumentTable>) {
  const { go } = useRouter();
  const uploads = useUploads();
  return {
    upload: uploads.start,
    readText: opened.act(({ documentId }) => go({ place: "documents", documentId })),
    ask: opened.act((row) => {
      const subject = { documentId: row.documentId, name: documentName(row) };
      go({ place: "chat", subjects: [subject] });
    }),
    review: opened.act(({ documentId }) => go({ place: "documents", documentId, review: "" })),
    deleted: () => go({ place: "documents", trash: true }),
    reviewQueue: () => go({ place: "documents", queue: true }),
  };
}

/** Whether the selected document has text decides about its keys. */
function useTextState(row: DocumentRecord | undefined): { readonly facts: TextFacts } {
  return { facts: { hasText: row && (row.pages ?? 0) > 0 } };
}

const uploadOffer = [shellKeys.upload, "uploads a file"] as const;

export const DocumentListScreen = listPlace<DocumentRecord, DocumentKeys>({
  name: "documents",
  title: "Documents",
  loading: "Loading documents",
  filter: {
    key: "documents",
    properties: documentFields,
    others: otherDocumentFields,
    placeholder: "status:ready  filename:plan  size>1000000",
    noMatch: "No document matches this filter.",
  },
  list: documentList,
  columns: documentColumns,
  actions: { delete: documentRemoval },
  news: { place: "documents", idOf: documentKey },
  useHandlers: useDocumentHandlers,
  useRowKeys: useTextState,
  command: (row) => row && [["docs", "get", row.documentId]],
  missing: {
    words: "This platform does not list documents. `svc docs get <id>` shows one.",
    offer: uploadOffer,
  },
  empty: { words: "This workspace has no documents yet.", offer: uploadOffer },
  Detail: DocumentDetail,
});

function DocumentDetail(props: DetailProps<DocumentRecord, DocumentTable>) {
  const { shown, filter, area, focused } = props;
  const { row, isLost } = shown;
  const { value: lost } = useDocument(isLost ? row?.documentId : undefined);
  const document = isLost ? (lost ?? row) : row;
  const nameOf = useNames(memberNamesPart, [document?.createdBy]);
  const views = useMemo(
    () => ({
      record: (one: DocumentRecord, width: number) => documentLines(one, width, nameOf),
      json: jsonLines,
    }),
    [nameOf],
  );
  return (
    <DetailPane<DocumentRecord>
      area={area}
      focused={focused}
      kind="document"
      title={document === undefined ? "details" : documentName(document)}
      caution={isLost ? lostWords(filter.text) : undefined}
      item={document}
      keyOf={documentKey}
      views={views}
    />
  );
}
