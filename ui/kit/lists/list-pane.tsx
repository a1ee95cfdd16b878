import { useState } from "react";
import type { AnyHandlers } from "../keys/key-bindings.ts";
import { useKeys } from "../keys/use-keys.ts";
import type { ListCursor } from "../cursor/list-cursor.ts";
import { Pane, paneBorder, type PaneProps } from "../panes/pane.tsx";
import type { PaneTabs } from "../panes/tabs.ts";
import { useSelected, type Followed } from "../state/store.ts";
import { countWords, rowWords } from "../text/words.ts";
import { ListBody, tableHeight, type ListBodyProps } from "./list-body.tsx";

export interface ListPaneProps<Row> extends ListBodyProps<Row> {
  readonly title: string;
  readonly tabs?: PaneTabs | undefined;
  /** The order and the filter as texts. */
  readonly facts?: readonly string[];
  /** The keys of the list, in addition to moving. */
  readonly handlers?: AnyHandlers | undefined;
}

/** Rows of a list that fit into a pane of this height. */
export function listRows(height: number): number {
  return rowsIn(height - paneBorder);
}

function rowsIn(height: number): number {
  return Math.max(1, height - 1);
}

export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { title, tabs, facts = [], list, width, height, focused, columns } = props;
  const [skip, setSkip] = useState(0);
  const movable = columns.filter((column) => column.pinned !== true).length;
  const handlers: AnyHandlers = {
    ...list.cursor.moves,
    left: () => setSkip((now) => Math.max(0, now - 1)),
    right: () => setSkip((now) => Math.min(Math.max(0, movable - 1), now + 1)),
    ...props.handlers,
  };
  useKeys("pane", handlers, { active: focused, facts: { rows: list.count } });
  const body = { ...props, width: width - paneBorder, height: height - paneBorder };
  const known = list.count - (list.ghost === undefined ? 0 : 1);
  const count = known === 0 ? [] : [`${countWords(known)}${list.counted ? "" : "+"}`];
  return (
    <ListFrame
      title={title}
      tabs={tabs}
      facts={[...count, ...facts]}
      list={list}
      isCut={list.count > rowsIn(tableHeight(body))}
      width={width}
      height={height}
      focused={focused}
      onClick={props.onClick}
    >
      <ListBody<Row> {...body} skip={skip} />
    </ListFrame>
  );
}

/** The frame of a list. The number of the selected row is shown where not all rows fit. */
function ListFrame(
  props: Omit<PaneProps, "corner"> & {
    readonly list: { readonly count: number; readonly cursor: Followed<ListCursor> };
    readonly isCut: boolean;
  },
) {
  const { list, isCut, ...pane } = props;
  const corner = useSelected(list.cursor, ({ index }) =>
    isCut ? rowWords(index, list.count) : undefined,
  );
  return <Pane {...pane} corner={corner} />;
}
