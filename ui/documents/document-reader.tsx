import { useMemo, useState } from "react";
import type { Citation } from "#client/index.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { Empty, Failed, Skeleton } from "../kit/panes/states.tsx";
import { documentName } from "./words.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useDocument, useDocumentPage } from "./use-documents.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { quotedLines } from "../kit/text/quoted-text.ts";
import { indented } from "../kit/text/styled-lines.ts";
import { keyName } from "../kit/keys/key-table.ts";

const panes = ["text"];
const linesAboveQuote = 3;
/** The maximum width of text lines: longer lines are hard to read. */
const readableColumns = 110;

/** A document's text by pages; opened from a citation, it marks the quote. */
export function DocumentReader(props: {
  readonly documentId: string;
  readonly citation: Citation | undefined;
}) {
  const { documentId, citation } = props;
  const layout = useLayout();
  const { back, canGoBack, go } = useRouter();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const { focused } = usePanes(panes);
  const [number, setNumber] = useState(citation?.page ?? 1);
  const record = useDocument(documentId);
  const page = useDocumentPage(documentId, number);
  const inner = { width: layout.width - paneBorder, height: layout.height - paneBorder };
  const pages = page.value?.pages ?? record.value?.pages ?? undefined;
  const hasNext = pages === undefined || number < pages;
  const text = page.value?.text;
  const quote = citation !== undefined && (citation.page ?? 1) === number ? citation : undefined;
  const room = Math.min(readableColumns, inner.width - 4);
  const { lines, quoteLine } = useMemo(() => {
    const quoted = quotedLines(text ?? "", room, quote);
    return { ...quoted, lines: indented(indented(quoted.lines)) };
  }, [text, room, quote]);
  const name =
    record.value === undefined ? (citation?.filename ?? documentId) : documentName(record.value);
  useKeys(
    "place",
    {
      // Before the page count is known, the key goes to the next page only.
      nextPage: hasNext
        ? (count) => setNumber((now) => Math.min(now + count, pages ?? now + 1))
        : undefined,
      previousPage:
        number > 1 ? (count) => setNumber((now) => Math.max(1, now - count)) : undefined,
      ask: () => go({ place: "chat", subjects: [{ documentId, name }] }),
      copyText: () => copy(quote?.quote ?? text ?? ""),
      copyCommand: () => copyCommand.inWorkspace(["docs", "get", documentId]),
      goBack: canGoBack ? back : () => go({ place: "documents" }),
    },
    { facts: { hasText: text !== undefined } },
  );
  const missing = quote !== undefined && text !== undefined && quoteLine === undefined;
  const facts = [
    `page ${number}${pages === undefined ? "" : ` of ${pages}`}`,
    ...(missing ? ["the quote is not on this page"] : []),
  ];
  return (
    <Pane
      title={name}
      facts={facts}
      width={layout.width}
      height={layout.height}
      focused={focused === "text"}
    >
      {text === undefined && page.failure !== undefined ? (
        <Failed
          {...inner}
          failure={page.failure}
          next={`${keyName("refresh")} tries again, ${keyName("goBack")} goes back`}
        />
      ) : text === undefined ? (
        <Skeleton {...inner} words={`Loading page ${number}`} />
      ) : text.trim() === "" ? (
        <Empty
          {...inner}
          words="This page has no text."
          next={`${hasNext ? `${keyName("nextPage")} next page, ` : ""}${keyName("goBack")} back`}
        />
      ) : (
        <ScrollView
          key={number}
          lines={lines}
          {...inner}
          focused={focused === "text"}
          start={Math.max(0, (quoteLine ?? 0) - linesAboveQuote)}
        />
      )}
    </Pane>
  );
}
