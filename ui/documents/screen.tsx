import { useRoute, useRouter } from "../shell/router.ts";
import { DocumentReader } from "./document-reader.tsx";
import { TrashScreen } from "./trash-screen.ts";
import type { DocumentReview, DocumentRecord } from "#client/index.ts";
import {
  listPlace,
  type PlaceNow,
  type PlaceTable,
  type DetailProps,
} from "../kit/places/list-place.tsx";
import { ageWords } from "../kit/text/words.ts";
import type { DocumentKeys } from "./keys.ts";
import { confidenceWords } from "./marks.ts";
import { type ReviewSubject, documentRemoval } from "./actions.ts";
import { reviewList, reviewValue, reviewWords, useDecisions } from "./use-reviews.ts";
import { useMemo } from "react";
import { lostWords } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import { jsonLines } from "../kit/text/styled-lines.ts";
import { shellKeys, type TextFacts } from "../shell/keys.ts";
import { memberNamesPart } from "../shell/platform/member-names.ts";
import { useNames } from "../shell/platform/names.ts";
import { useUploads } from "../shell/use-uploads.ts";
import { documentFields, otherDocumentFields } from "./filter-fields.ts";
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

const DocumentListScreen = listPlace<DocumentRecord, DocumentKeys>({
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

type ReviewNow = PlaceNow<DocumentReview, PlaceTable<DocumentReview>>;

function nameOf({ filename, documentNumber, documentId }: DocumentReview): string {
  return filename ?? documentNumber ?? documentId;
}

function subjectOf(review: DocumentReview): ReviewSubject {
  const { documentId, target } = review;
  return { documentId, name: nameOf(review), target, value: reviewValue(review) };
}

function useOpening({ opened }: ReviewNow): () => void {
  const { go } = useRouter();
  return opened.act(({ documentId, target }) =>
    go({ place: "documents", documentId, review: target }),
  );
}

function useReviewHandlers(now: ReviewNow) {
  const { opened, table } = now;
  const decisions = useDecisions(table.list.refresh);
  const review = useOpening(now);
  return {
    acceptReview: opened.act((row) => decisions.accept(subjectOf(row))),
    correctReview: opened.act((row) => decisions.correct(subjectOf(row))),
    review,
  };
}

/** The labels and fields of all documents that a user must look at. */
const ReviewQueue = listPlace<DocumentReview, DocumentKeys>({
  name: "reviews",
  title: "Reviews",
  loading: "Loading the reviews",
  listFacts: ["oldest first"],
  list: reviewList,
  columns: (nowMs) => [
    {
      id: "document",
      title: "document",
      value: nameOf,
      priority: 0,
      pinned: true,
      minimum: 16,
      maximum: 40,
    },
    {
      id: "target",
      title: "field",
      value: ({ target }) => target.replace("fields.", ""),
      priority: 1,
      maximum: 24,
    },
    { id: "value", title: "found", value: reviewWords, priority: 2, minimum: 12, maximum: 40 },
    {
      id: "confidence",
      title: "confidence",
      value: ({ confidence, threshold }) => confidenceWords(confidence, threshold),
      token: () => "warn",
      priority: 3,
      minimum: 16,
    },
    {
      id: "age",
      title: "since",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 4,
    },
  ],
  useHandlers: useReviewHandlers,
  useListHandlers: (now) => ({ open: useOpening(now) }),
  command: (review) =>
    review === undefined
      ? [["docs", "review", "list"]]
      : [["docs", "review", "accept", review.documentId, review.target]],
  missing: { words: "This platform has no reviews." },
  empty: { words: "Nothing is to review: each label and field reached its threshold." },
});

export function DocumentsScreen() {
  const route = useRoute();
  if (route.place !== "documents") return null;
  const { documentId, citation, review, queue = false, trash = false } = route;
  if (documentId !== undefined) {
    return (
      <DocumentReader
        key={`${documentId} ${citation?.id ?? ""} ${review ?? ""}`}
        documentId={documentId}
        citation={citation}
        review={review}
      />
    );
  }
  if (trash) return <TrashScreen />;
  return queue ? <ReviewQueue /> : <DocumentListScreen />;
}
