import type { DocumentKeys } from "./keys.ts";
import type { DocumentReview } from "#client/index.ts";
import { useMemo } from "react";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import type { Column } from "../kit/table/columns.ts";
import { ageWords } from "../kit/text/words.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { confidenceWords } from "./marks.ts";
import { reviewValue, useDecisions, useReviews, type Subject } from "./use-reviews.ts";

const panes = ["list"];

function nameOf({ filename, documentNumber, documentId }: DocumentReview): string {
  return filename ?? documentNumber ?? documentId;
}

function subjectOf(review: DocumentReview): Subject {
  const { documentId, target } = review;
  return { documentId, name: nameOf(review), target, value: reviewValue(review) };
}

function reviewColumns(nowMs: number): Column<DocumentReview>[] {
  return [
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
  ];
}

/** The labels and fields of all documents that a user must look at. */
export function ReviewQueue() {
  const { width, height } = useLayout();
  const { go, back } = useRouter();
  const { focused } = usePanes(panes);
  const copyCommand = useCopyCommand();
  const list = useReviews(listRows(height));
  const nowMs = useAgeTime(list.sample);
  const decisions = useDecisions(list.refresh);
  const columns = useMemo(() => reviewColumns(nowMs), [nowMs]);
  const { act, selected } = list.cursor;
  const open = act(({ documentId, target }) =>
    go({ place: "documents", documentId, review: target }),
  );
  useKeys<DocumentKeys>(
    "place",
    {
      acceptReview: act((review) => decisions.accept(subjectOf(review))),
      correctReview: act((review) => decisions.correct(subjectOf(review))),
      review: open,
      copyCommand: () => {
        const { documentId, target } = selected() ?? {};
        copyCommand.inWorkspace(
          documentId === undefined || target === undefined
            ? ["docs", "review", "list"]
            : ["docs", "review", "accept", documentId, target],
        );
      },
      goBack: back,
    },
    { facts: { rows: list.count } },
  );
  return (
    <ListPane<DocumentReview>
      title="Reviews"
      facts={["oldest first"]}
      list={list}
      columns={columns}
      width={width}
      height={height}
      focused={focused === "list"}
      loading="Loading the reviews"
      missing={{ words: "This platform has no reviews." }}
      empty={{ words: "Nothing is to review: each label and field reached its threshold." }}
      handlers={{ open }}
    />
  );
}
