import type { DocumentReview } from "#client/index.ts";
import { listPlace, type PlaceNow, type PlaceTable } from "../kit/places/list-place.tsx";
import { ageWords } from "../kit/text/words.ts";
import { useRouter } from "../shell/router.ts";
import type { DocumentKeys } from "./keys.ts";
import { confidenceWords } from "./marks.ts";
import type { ReviewSubject } from "./actions.ts";
import { reviewList, reviewValue, useDecisions } from "./use-reviews.ts";

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
export const ReviewQueue = listPlace<DocumentReview, DocumentKeys>({
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
    { id: "value", title: "found", value: reviewValue, priority: 2, minimum: 12, maximum: 40 },
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
