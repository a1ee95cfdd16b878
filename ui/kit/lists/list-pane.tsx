import { useState } from "react";
import type { Column, SortMark } from "../table/columns.ts";
import { useKeys } from "../keys/use-keys.tsx";
import type { LiveList } from "./live-list.ts";
import type { KeyFacts } from "../keys/key-table.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { wrapText } from "../text/text-layout.ts";
import { countWords, rowWords } from "../text/words.ts";
import { DataTable } from "../table/data-table.tsx";
import { Line } from "../theme/paint.tsx";
import { Pane, paneBorder } from "../panes/pane.tsx";
import { Empty, Stale, Unanswered } from "../panes/states.tsx";

export interface ListPaneProps<Row> {
  readonly title: string;
  /** Order and filter. */
  readonly facts?: readonly string[];
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly sort?: SortMark | undefined;
  readonly marked?: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** Title of the first load, e.g. `Loading documents`. */
  readonly loading: string;
  /** The next step after a failure, where it is not a retry. */
  readonly mend?: string | undefined;
  /** A warning above the rows. */
  readonly caution?: string | undefined;
  readonly empty: { readonly words: string; readonly next?: string };
  /** Keys of the list other than moving. */
  readonly handlers?: KeyHandlers;
  readonly keyFacts?: KeyFacts;
}

/** Rows of a list that fit into a pane of this height. */
export function listRows(height: number): number {
  return rowsIn(height - paneBorder);
}

/** Rows of a table of this height, without its heading. */
function rowsIn(height: number): number {
  return Math.max(1, height - 1);
}

/** A list in its pane, in each of its five states: first load, loaded, empty, failed, stale. */
export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { title, facts = [], list, width, height, focused, columns, mend } = props;
  const [skip, setSkip] = useState(0);
  const stale = list.failure !== undefined && list.count > 0;
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
      {list.count === 0 && (list.failure !== undefined || list.answeredAtMs === undefined) ? (
        <Unanswered {...inner} failure={list.failure} loading={props.loading} next={mend} />
      ) : list.count === 0 ? (
        <Empty {...inner} {...props.empty} />
      ) : (
        <>
          <Stale failure={list.failure} answeredAtMs={list.answeredAtMs} width={inner.width} />
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
