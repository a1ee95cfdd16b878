import { useState } from "react";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import type { KeyFacts } from "../keys/key-reasons.ts";
import { useKeys } from "../keys/use-keys.tsx";
import { Pane, paneBorder } from "../panes/pane.tsx";
import { countWords, rowWords } from "../text/words.ts";
import { ListBody, tableHeight, type ListBodyProps } from "./list-body.tsx";

export interface ListPaneProps<Row> extends ListBodyProps<Row> {
  readonly title: string;
  /** Order and filter, in words. */
  readonly facts?: readonly string[];
  /** The keys of the list, in addition to moving. */
  readonly handlers?: KeyHandlers;
  readonly keyFacts?: KeyFacts;
}

/** Rows of a list that fit into a pane of this height. */
export function listRows(height: number): number {
  return rowsIn(height - paneBorder);
}

function rowsIn(height: number): number {
  return Math.max(1, height - 1);
}

export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { title, facts = [], list, width, height, focused, columns } = props;
  const [skip, setSkip] = useState(0);
  const movable = columns.filter((column) => column.pinned !== true).length;
  const handlers: KeyHandlers = {
    ...list.moves,
    left: () => setSkip((now) => Math.max(0, now - 1)),
    right: () => setSkip((now) => Math.min(Math.max(0, movable - 1), now + 1)),
    ...props.handlers,
  };
  useKeys("pane", handlers, { active: focused, facts: { ...props.keyFacts, rows: list.count } });
  const body = { ...props, width: width - paneBorder, height: height - paneBorder };
  const count = list.count === 0 ? [] : [`${countWords(list.count)}${list.counted ? "" : "+"}`];
  const isCut = list.count > rowsIn(tableHeight(body));
  return (
    <Pane
      title={title}
      facts={[...count, ...facts]}
      corner={isCut ? rowWords(list.cursor.index, list.count) : undefined}
      width={width}
      height={height}
      focused={focused}
    >
      <ListBody<Row> {...body} skip={skip} />
    </Pane>
  );
}
