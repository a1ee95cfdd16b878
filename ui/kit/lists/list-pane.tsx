import { useState } from "react";
import type { Column, SortMark } from "../table/columns.ts";
import { useKeys } from "../keys/use-keys.tsx";
import type { LiveList } from "./live-list.ts";
import { useNow } from "../state/use-now.ts";
import type { KeyFacts } from "../keys/key-table.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { wrapText } from "../text/text-layout.ts";
import { countWords, rowWords } from "../text/words.ts";
import { DataTable } from "../table/data-table.tsx";
import { Line } from "../theme/paint.tsx";
import { Pane, paneBorder } from "../panes/pane.tsx";
import { Empty, Failed, Skeleton, Stale } from "../panes/states.tsx";

export interface ListPaneProps<Row> {
  readonly title: string;
  /** Order and filter, in words. */
  readonly facts?: readonly string[];
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly sort?: SortMark | undefined;
  readonly marked?: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** What is awaited, e.g. `Loading documents`. */
  readonly loading: string;
  /** What to do about a failure, where trying again is not it. */
  readonly mend?: string | undefined;
  /** What must be known of the rows, above them. */
  readonly caution?: string | undefined;
  readonly empty: { readonly words: string; readonly next?: string };
  /** What the keys of the list do beside moving. */
  readonly handlers?: KeyHandlers;
  readonly keyFacts?: KeyFacts;
}

/** How often the age of rows that could not be refreshed is drawn anew. */
const staleMs = 5_000;

/** Rows of a list that fit into a pane of this height. */
export function listRows(height: number): number {
  return rowsIn(height - paneBorder);
}

/** Rows of a table that is so many rows of the screen high, below its heading. */
function rowsIn(height: number): number {
  return Math.max(1, height - 1);
}

/** A list in its pane, in whichever of the five states it is. */
export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { title, facts = [], list, width, height, focused, columns, mend } = props;
  const [skip, setSkip] = useState(0);
  const stale = list.failure !== undefined && list.count > 0;
  const nowMs = useNow(stale ? staleMs : undefined);
  const movable = columns.filter((column) => column.pinned !== true).length;
  const handlers: KeyHandlers = {
    ...list.moves,
    left: () => setSkip((now) => Math.max(0, now - 1)),
    right: () => setSkip((now) => Math.min(Math.max(0, movable - 1), now + 1)),
    ...props.handlers,
  };
  useKeys("pane", handlers, {
    active: focused,
    facts: { ...props.keyFacts, rows: list.count },
  });
  const inner = { width: width - paneBorder, height: height - paneBorder };
  const { caution } = props;
  const cautions = caution === undefined ? [] : wrapText(caution, inner.width - 2);
  const count = list.count === 0 ? [] : [`${countWords(list.count)}${list.counted ? "" : "+"}`];
  const tableHeight = inner.height - (stale ? 1 : 0) - cautions.length;
  return (
    <Pane
      title={title}
      facts={[...count, ...facts]}
      corner={
        list.count > rowsIn(tableHeight) ? rowWords(list.cursor.index, list.count) : undefined
      }
      width={width}
      height={height}
      focused={focused}
    >
      {list.count === 0 && list.failure !== undefined ? (
        <Failed {...inner} failure={list.failure} {...(mend === undefined ? {} : { next: mend })} />
      ) : list.count === 0 && list.answeredAtMs === undefined ? (
        <Skeleton {...inner} words={props.loading} />
      ) : list.count === 0 ? (
        <Empty {...inner} {...props.empty} />
      ) : (
        <>
          {stale && list.failure !== undefined ? (
            <Stale
              failure={list.failure}
              answeredAtMs={list.answeredAtMs}
              nowMs={nowMs}
              width={inner.width}
            />
          ) : null}
          {cautions.map((line, index) => (
            <Line key={index} as="warn">
              {index === 0 ? "▲ " : "  "}
              {line}
            </Line>
          ))}
          <DataTable
            columns={columns}
            count={list.count}
            rowAt={list.rowAt}
            keyOf={list.keyOf}
            sample={list.sample}
            cursor={list.cursor}
            width={inner.width}
            height={tableHeight}
            focused={focused}
            sort={props.sort}
            skip={skip}
            {...(props.marked === undefined ? {} : { marked: props.marked })}
          />
        </>
      )}
    </Pane>
  );
}
