import { useEffect, useMemo, useState } from "react";
import type { Citation } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import type { Quoted } from "../kit/text/quoted-text.ts";
import { useAnsweredList } from "../shell/platform/use-list.ts";
import { markKey, marksOf, missingValue, type Mark } from "./marks.ts";
import { useDocument, useDocumentPage } from "./use-documents.ts";
import { useReviewsOf } from "./use-reviews.ts";

/** The part of a text that shows a value: its quote, the text at its span, or the value. */
function quotedOf({ quote, span, value }: Mark, text: string): Quoted | undefined {
  if (quote !== "") return { quote, span };
  if (span !== undefined) return { quote: text.slice(span.start, span.end), span };
  return value === missingValue ? undefined : { quote: value };
}

const noMarks: readonly Mark[] = [];

/** A document with its label and fields; `review` names the one to begin with. */
export function useMarks(documentId: string, review: string | undefined, height: number) {
  const record = useDocument(documentId);
  const open = useReviewsOf(documentId);
  const marks = useMemo(
    () => (record.value === undefined ? noMarks : marksOf(record.value, open.value)),
    [record.value, open.value],
  );
  const answer = { ...record, value: marks };
  const list = useAnsweredList<Mark>(`marks ${documentId}`, answer, markKey, height);
  const { select } = list;
  const isKnown = open.value !== undefined || open.failure !== undefined;
  const first = marks.find(({ isOpen }) => isOpen)?.target;
  const [isDecided, setDecided] = useState(false);
  // The next one that needs a decision follows each decision.
  const wanted = review === "" || (review !== undefined && isDecided) ? first : review;
  useEffect(() => {
    if (isKnown && wanted !== undefined) select(wanted);
  }, [isKnown, wanted, select]);
  return {
    record,
    marks,
    list,
    firstOpen: first,
    refresh: () => {
      setDecided(true);
      record.refresh();
      open.refresh();
    },
  };
}

/** A quote of a page: a citation, or a text that was searched for. */
type CitedPlace = Quoted & Pick<Citation, "page">;

interface PagePlace {
  readonly number: number;
  /** The mark that the page was opened for. */
  readonly mark: string | undefined;
}

/** The shown page, with the pieces of its text that are marked. */
export function useMarkedPage(
  documentId: string,
  marks: readonly Mark[],
  chosen: Mark | undefined,
  citation: CitedPlace | undefined,
) {
  const [at, setAt] = useState<PagePlace>({ number: citation?.page ?? 1, mark: undefined });
  // The page follows the chosen mark, and stays when another part gets the focus.
  if (chosen !== undefined && chosen.target !== at.mark) {
    setAt({ number: chosen.page ?? at.number, mark: chosen.target });
  }
  const { number } = at;
  const setNumber = (change: (now: number) => number): void =>
    setAt((now) => ({ ...now, number: change(now.number) }));
  const page = useDocumentPage(documentId, number);
  const text = page.value?.text;
  const isCited = chosen === undefined && (citation?.page ?? 1) === number;
  const { quote, others } = useMemo(() => {
    const shown = text ?? "";
    const here = marks.filter((mark) => mark.page === number);
    const pieces = here.filter((mark) => mark !== chosen);
    return {
      quote: chosen?.page === number ? quotedOf(chosen, shown) : isCited ? citation : undefined,
      others: pieces.flatMap((mark) => quotedOf(mark, shown) ?? []),
    };
  }, [marks, chosen, number, text, isCited, citation]);
  return { page, number, setNumber, text, quote, others };
}

export type MarkList = LiveList<Mark>;
