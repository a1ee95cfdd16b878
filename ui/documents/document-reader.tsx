import type { TextFacts } from "../shell/keys.ts";
import { type DocumentKeys, documentKeys, type ReaderFacts } from "./keys.ts";
import { Box } from "ink";
import type { Citation } from "#client/index.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import { ListPane } from "../kit/lists/list-pane.tsx";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useSelected } from "../kit/state/store.ts";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useCanGoBack, useRouter, type ChatSubject } from "../shell/router.ts";
import { markColumns, type Mark } from "./marks.ts";
import { useMarkedPage, useMarks, type MarkList } from "./use-reader.ts";
import { PagePicture, usePictureRefusal } from "./reading/page-picture.tsx";
import { readerAreas } from "./reading/reader-areas.ts";
import { useTextPlaces } from "./reading/use-text-places.ts";
import type { ReviewSubject } from "./actions.ts";
import { useDecisions, useNextReview } from "./use-reviews.ts";
import { documentName } from "./words.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { useMemo, useState } from "react";
import type { Failure } from "../kit/answers/failure.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Empty, Failed, Skeleton } from "../kit/panes/states.tsx";
import { quotedLines, type Quoted } from "../kit/text/quoted-text.ts";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { indented } from "../kit/text/styled-lines.ts";

const readingOrder = ["text", "fields"];
const reviewOrder = ["fields", "text"];

/** The keys of the label and the fields: accept, correct, and on to the next one. */
function useMarkKeys(options: {
  readonly list: MarkList;
  readonly focused: boolean;
  readonly subjectOf: (mark: Mark) => ReviewSubject;
  readonly onDecided: () => void;
}) {
  const { list, focused, subjectOf, onDecided } = options;
  const copyCommand = useCopyCommand();
  const copy = useCopy();
  const decisions = useDecisions(onDecided);
  const { act } = list.cursor;
  const correct = act((mark) => decisions.correct(subjectOf(mark)));
  useKeys<DocumentKeys, TextFacts>(
    "pane",
    {
      acceptReview: act((mark) => decisions.accept(subjectOf(mark))),
      correctReview: correct,
      open: correct,
      copyText: act(({ value }) => copy(value)),
      copyCommand: act((mark) => {
        const { documentId, target } = subjectOf(mark);
        copyCommand.inWorkspace(["docs", "review", "accept", documentId, target]);
      }),
    },
    { active: focused, facts: { rows: list.count } },
  );
}

/** The keys of the text: pages, the chat about the document, and the first open review. */
function useReaderKeys(options: {
  readonly subject: ChatSubject;
  readonly shown: ReturnType<typeof useMarkedPage>;
  /** Number of pages; `undefined` while it is not known. */
  readonly pages: number | undefined;
  readonly onReview: () => void;
  readonly places: ReturnType<typeof useTextPlaces>;
  readonly onPicture: () => void;
}): void {
  const { subject, shown, pages, onReview, places, onPicture } = options;
  const { number, setNumber, text, quote } = shown;
  const { back, go } = useRouter();
  const canGoBack = useCanGoBack();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  // The key goes one page on while the page count is not known.
  const goOn = (count: number) => setNumber((now) => Math.min(now + count, pages ?? now + 1));
  const goBackBy = (count: number) => setNumber((now) => Math.max(1, now - count));
  const noPicture = usePictureRefusal();
  useKeys<DocumentKeys, ReaderFacts>(
    "place",
    {
      picture: onPicture,
      nextPage: pages === undefined || number < pages ? goOn : undefined,
      previousPage: number > 1 ? goBackBy : undefined,
      ...places,
      ask: () => go({ place: "chat", subjects: [subject] }),
      review: onReview,
      copyText: () => copy(quote?.quote ?? text ?? ""),
      copyCommand: () => copyCommand.inWorkspace(["docs", "get", subject.documentId]),
      goBack: canGoBack ? back : () => go({ place: "documents" }),
    },
    { facts: { hasText: text !== undefined, rows: 1, noPicture } },
  );
}

/** The place of a text that was searched for. */
interface Found extends Quoted {
  readonly page: number;
}

/**
 * A document's text by pages, with its label and fields: the selected one is marked where the page
 * shows it. Opened from a citation, it marks the quote.
 */
export function DocumentReader(props: {
  readonly documentId: string;
  readonly citation: Citation | undefined;
  readonly review: string | undefined;
}) {
  const { documentId, citation, review } = props;
  const layout = useLayout();
  const { focused, focus } = usePanes(review === undefined ? readingOrder : reviewOrder);
  const marked = useMarks(documentId, review, layout.height);
  const { record, marks, list } = marked;
  const areas = readerAreas(layout, marks.length);
  const isOnFields = focused === "fields" && areas.fields !== undefined;
  const selected = useSelected(list.cursor, list.cursor.selected);
  const chosen = isOnFields ? selected : undefined;
  const [found, setFound] = useState<Found | undefined>(undefined);
  const shown = useMarkedPage(documentId, marks, chosen, found ?? citation);
  const { page, number, text, quote, others } = shown;
  const pages = page.value?.pages ?? record.value?.pages ?? undefined;
  const hasNext = pages === undefined || number < pages;
  const name =
    record.value === undefined ? (citation?.filename ?? documentId) : documentName(record.value);
  useMarkKeys({
    list,
    focused: isOnFields,
    subjectOf: ({ target, value }) => ({ documentId, name, target, value }),
    onDecided: marked.refresh,
  });
  const nextReview = useNextReview();
  const onReview = () => {
    focus("fields");
    if (marked.firstOpen === undefined) nextReview();
    else list.select(marked.firstOpen);
  };
  const places = useTextPlaces({ documentId, name, number, pages }, (to) => {
    setFound(to.quote === undefined ? undefined : { ...to, quote: to.quote, span: to.span });
    shown.setNumber(() => to.page);
    focus("text");
  });
  const [hasPicture, setHasPicture] = useState(false);
  const onPicture = () => setHasPicture((now) => !now);
  useReaderKeys({ subject: { documentId, name }, shown, pages, onReview, places, onPicture });
  const isCited = chosen === undefined && quote !== undefined && text !== undefined;
  const isMissing = isCited && !text.includes(quote.quote);
  const facts = [
    `page ${number}${pages === undefined ? "" : ` of ${pages}`}`,
    ...(isMissing ? ["the quote is not on this page"] : []),
  ];
  const { width, height } = areas.text;
  const isOnText = !isOnFields;
  const shownText = { number, hasNext, text, failure: page.failure, quote, others };
  return (
    <Box flexDirection={areas.direction} flexShrink={0} width={layout.width} height={layout.height}>
      <Box flexShrink={0} width={width} height={height}>
        <PagePanes
          {...shownText}
          {...{ documentId, pages, name, facts, width, height, hasPicture }}
          focused={isOnText}
        />
      </Box>
      {areas.fields === undefined ? null : (
        <FieldsPane
          list={list}
          {...areas.fields}
          focused={isOnFields}
          isReviewing={review !== undefined}
        />
      )}
    </Box>
  );
}

interface PagePanesProps extends PageTextProps {
  readonly documentId: string;
  readonly pages: number | undefined;
  readonly name: string;
  readonly facts: readonly string[];
  readonly hasPicture: boolean;
}

/** The text of a page, and its picture next to it, or instead of it on a narrow screen. */
function PagePanes(props: PagePanesProps) {
  const { documentId, pages, name, facts, hasPicture, ...page } = props;
  const { number, focused, width, height } = page;
  const { shape } = useLayout();
  const textWidth = !hasPicture ? width : shape === "narrow" ? 0 : Math.ceil(width / 2);
  return (
    <>
      {textWidth === 0 ? null : (
        <Pane title={name} facts={facts} width={textWidth} height={height} focused={focused}>
          <PageText {...page} width={textWidth - paneBorder} height={height - paneBorder} />
        </Pane>
      )}
      {hasPicture ? (
        <PagePicture
          {...{ documentId, number, pages, height }}
          width={width - textWidth}
          focused={focused && textWidth === 0}
        />
      ) : null}
    </>
  );
}

function FieldsPane(props: {
  readonly list: MarkList;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  readonly isReviewing: boolean;
}) {
  const { isReviewing, ...pane } = props;
  const open = Array.from({ length: pane.list.count }, (_, index) => pane.list.rowAt(index));
  const count = open.filter((mark) => mark?.isOpen === true).length;
  return (
    <ListPane<Mark>
      {...pane}
      title="Label and fields"
      facts={[
        count === 0
          ? `none to review${isReviewing ? `, ${keyName(documentKeys.review)} next document` : ""}`
          : `${count} to review`,
      ]}
      columns={markColumns}
      loading="Loading the fields"
      empty={{ words: "No field was extracted." }}
    />
  );
}

const linesAboveQuote = 3;
/** The maximum width of text lines: longer lines are hard to read. */
const readableColumns = 110;

interface PageTextProps extends Size {
  readonly number: number;
  readonly hasNext: boolean;
  /** Undefined until it is loaded. */
  readonly text: string | undefined;
  readonly failure: Failure | undefined;
  readonly quote: Quoted | undefined;
  readonly others: readonly Quoted[];
  readonly focused: boolean;
}

/** The text of a page: the quote is marked, and the other fields are underlined. */
function PageText(props: PageTextProps) {
  const { number, text, failure, quote, others, hasNext, focused, width, height } = props;
  const room = Math.min(readableColumns, width - 4);
  const { lines, quoteLine } = useMemo(() => {
    const quoted = quotedLines(text ?? "", room, quote, others);
    return { ...quoted, lines: indented(indented(quoted.lines)) };
  }, [text, room, quote, others]);
  const area = { width, height };
  if (text === undefined) {
    if (failure === undefined) return <Skeleton {...area} words={`Loading page ${number}`} />;
    const next = `${keyName(commonKeys.refresh)} tries again, ${keyName(commonKeys.goBack)} goes back`;
    return <Failed {...area} failure={failure} next={next} />;
  }
  if (text.trim() === "") {
    const next = `${hasNext ? `${keyName(documentKeys.nextPage)} next page, ` : ""}${keyName(commonKeys.goBack)} back`;
    return <Empty {...area} words="This page has no text." next={next} />;
  }
  return (
    <ScrollView
      key={`${number} ${quoteLine ?? ""}`}
      lines={lines}
      {...area}
      focused={focused}
      start={Math.max(0, (quoteLine ?? 0) - linesAboveQuote)}
    />
  );
}
