import { useState } from "react";
import type { SearchMode, SearchResult } from "#client/index.ts";
import type { SearchProps } from "../shell/parts.ts";
import { Overlay } from "../kit/dialogs/overlay.tsx";
import { Area, Line, Lines, Paint } from "../kit/theme/paint.tsx";
import { failureTexts, type Failure } from "../kit/answers/failure.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { isTooShort, longestQuery, resultsAtOnce, useSearch } from "./use-search.ts";
import { keyName } from "../kit/keys/key-table.ts";
import { listStart, settle, type ListCursor } from "../kit/lists/list-cursor.ts";
import { movesThrough } from "../kit/lists/list-moves.ts";
import { nameIn } from "../kit/data-fields/record-columns.ts";
import { contentSpans, highlightSpans, scoreWords } from "./words.ts";
import { fieldText, textField } from "../kit/input/text-field.ts";
import { clipText, fitText, textWidth } from "../kit/text/text-layout.ts";
import { countWords } from "../kit/text/words.ts";
import { PromptField } from "../kit/input/prompt-field.tsx";

const modes: readonly SearchMode[] = ["hybrid", "fulltext", "vector"];
/** Rows of one result: what it is, and where the words stand in it. */
const resultRows = 2;
const widest = 120;
/** Columns from which there is room for what a score is made of beside a name. */
const partsFrom = 56;
const chrome = 2;
/** The line to type in, and the one that says what came of it. */
const headRows = 2;

/** Looking for records by a text, in one type or in all of the workspace. */
export function SearchScreen(props: SearchProps) {
  const { columns, rows, onClose } = props;
  const { go } = useRouter();
  const [keptText, keepText] = useRemembered("search text", "");
  const [mode, setMode] = useRemembered<SearchMode>("search mode", "hybrid");
  const [everywhere, setEverywhere] = useState(props.objectType === undefined);
  const [field, setField] = useState(() => textField(keptText));
  const [cursor, setCursor] = useState<ListCursor>();
  const [openedId, keepOpenedId] = useRemembered("search opened", "");
  const text = fieldText(field);
  const objectType = everywhere ? undefined : props.objectType;
  const answer = useSearch({ text, mode, objectType });
  const results = answer.value?.results ?? [];
  const width = Math.min(widest, columns);
  const inner = width - chrome;
  const height = Math.max(headRows + resultRows + chrome, rows - 2);
  const visible = Math.max(1, Math.floor((height - chrome - headRows) / resultRows));
  // Who comes back from a result goes on from there.
  const opened = Math.max(
    0,
    results.findIndex(({ id }) => id === openedId),
  );
  const at = settle(cursor ?? { index: opened, top: opened }, results.length, visible);
  const { failure } = answer;
  // A failure stands where the results of the question before it would.
  const selected = failure === undefined ? results[at.index] : undefined;
  // What a narrow screen cuts off stands last.
  const facts = [
    ` (${keyName("searchMode")} another)`,
    ...(text.trim().length > longestQuery ? [`its first ${longestQuery} characters`] : []),
    ...stateWords(text, answer),
    ...(props.objectType === undefined
      ? []
      : [`${keyName("searchTypes")} ${everywhere ? clipText(props.objectType, 40) : "all types"}`]),
    ...(answer.value?.embedding === undefined
      ? []
      : [`vectors: ${clipText(answer.value.embedding, 24)}`]),
  ];
  useKeys("picker", {
    ...movesThrough((change) => setCursor(change(at)), results.length, visible),
    searchMode: (count) => {
      setMode(modes[(modes.indexOf(mode) + count) % modes.length] ?? "hybrid");
      setCursor(listStart);
    },
    searchTypes:
      props.objectType === undefined
        ? undefined
        : () => {
            setEverywhere(!everywhere);
            setCursor(listStart);
          },
    choose: () => {
      if (failure !== undefined) answer.refresh();
      if (selected === undefined) return;
      keepText(text);
      keepOpenedId(selected.id);
      onClose();
      go({ place: "resources", objectType: selected.type, recordId: selected.id });
    },
    close: () => {
      keepText(text);
      onClose();
    },
  });
  return (
    <Overlay
      title={`Search ${objectType ?? "all types"}`}
      columns={columns}
      rows={rows}
      width={width}
      height={height}
    >
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder="words of a record"
        onEdit={(change) => {
          setField(change);
          setCursor(listStart);
        }}
      />
      <Line as="quiet">
        {" "}
        <Paint as="key">{mode}</Paint>
        {facts.join(" · ")}
      </Line>
      <Area height={height - chrome - headRows}>
        {failure !== undefined && !isTooShort(text.trim()) ? (
          <FailureLines failure={failure} width={inner - 2} />
        ) : (
          <Results
            results={results}
            at={at}
            visible={visible}
            width={inner}
            isOneType={!everywhere}
          />
        )}
      </Area>
    </Overlay>
  );
}

/** What becomes of the question; a failure is told below. */
function stateWords(text: string, answer: ReturnType<typeof useSearch>): string[] {
  if (isTooShort(text.trim())) return ["type at least two letters"];
  if (answer.asking || !answer.isCurrent) return ["looking …"];
  return answer.failure === undefined ? [foundWords(answer.value?.results.length ?? 0)] : [];
}

function foundWords(count: number): string {
  return count < resultsAtOnce ? `${countWords(count)} found` : `the best ${countWords(count)}`;
}

function FailureLines(props: { readonly failure: Failure; readonly width: number }) {
  const [head, ...rest] = failureTexts(props.failure);
  const clipped = (text: string) => clipText(text, props.width);
  return (
    <>
      <Lines lines={[clipped(`✗ ${head}`)]} as="bad" margin={1} />
      <Lines
        lines={[...rest, `${keyName("choose")} tries again`].map(clipped)}
        as="quiet"
        margin={1}
      />
    </>
  );
}

function Results(props: {
  readonly results: readonly SearchResult[];
  readonly at: { readonly index: number; readonly top: number };
  readonly visible: number;
  readonly width: number;
  readonly isOneType: boolean;
}) {
  const { results, at, visible, width, isOneType } = props;
  return results
    .slice(at.top, at.top + visible)
    .map((result, offset) => (
      <FoundRecord
        key={`${result.type} ${result.id}`}
        result={result}
        selected={at.top + offset === at.index}
        width={width}
        isOneType={isOneType}
      />
    ));
}

function FoundRecord(props: {
  readonly result: SearchResult;
  readonly selected: boolean;
  readonly width: number;
  readonly isOneType: boolean;
}) {
  const { result, selected, width, isOneType } = props;
  const { score, scores, highlights = [] } = result;
  const parts = `  text ${scoreWords(scores?.fulltext)}  vector ${scoreWords(scores?.vector)}`;
  const figures = `${scoreWords(score)}${width < partsFrom ? "" : parts} `;
  const name = `${nameIn(result.data) ?? result.id}${isOneType ? "" : `  ${result.type}`}`;
  const head = fitText(`${selected ? "▸" : " "} ${name}`, width - textWidth(figures));
  const [first] = highlights;
  const room = width - 4;
  const spans = first === undefined ? contentSpans(result, room) : highlightSpans(first, room);
  return (
    <>
      {selected ? (
        <Line as="selected">{head + figures}</Line>
      ) : (
        <Line>
          {head}
          <Paint as="quiet">{figures}</Paint>
        </Line>
      )}
      <Line>
        {"    "}
        {spans.map((span, index) => (
          <Paint key={index} as={span.as ?? "text"}>
            {span.text}
          </Paint>
        ))}
      </Line>
    </>
  );
}
