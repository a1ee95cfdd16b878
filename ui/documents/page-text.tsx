import { documentKeys } from "./keys.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { useMemo } from "react";
import type { Failure } from "../kit/answers/failure.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Empty, Failed, Skeleton } from "../kit/panes/states.tsx";
import { quotedLines, type Quoted } from "../kit/text/quoted-text.ts";
import { ScrollView } from "../kit/text/scroll-view.tsx";
import { indented } from "../kit/text/styled-lines.ts";

const linesAboveQuote = 3;
/** The maximum width of text lines: longer lines are hard to read. */
const readableColumns = 110;

export interface PageTextProps extends Size {
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
export function PageText(props: PageTextProps) {
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
      key={number}
      lines={lines}
      {...area}
      focused={focused}
      start={Math.max(0, (quoteLine ?? 0) - linesAboveQuote)}
    />
  );
}
