import type { TreeRow } from "#lib/tree.ts";
import type { ListCursor } from "./list-cursor.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { Area, Line, SelectedLine } from "../theme/paint.tsx";

export interface TreeViewProps<Item> {
  readonly rows: readonly TreeRow<Item>[];
  readonly idOf: (item: Item) => string;
  readonly wordsOf: (item: Item) => string;
  /** Stands at the right. */
  readonly besideOf: (item: Item) => string;
  readonly cursor: ListCursor;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

const signs = { open: "▾", closed: "▸", leaf: " " } as const;

/** A forest in lines, of which only the visible ones are drawn. */
export function TreeView<Item>(props: TreeViewProps<Item>) {
  const { rows, idOf, wordsOf, besideOf, cursor, width, height, focused } = props;
  return (
    <Area width={width} height={height}>
      {rows.slice(cursor.top, cursor.top + height).map((row, offset) => {
        const selected = cursor.top + offset === cursor.index;
        const beside = besideOf(row.item);
        const left = ` ${"  ".repeat(row.depth)}${signs[row.fold]} ${wordsOf(row.item)}`;
        const text = fitText(left, width - textWidth(beside) - 2);
        const key = idOf(row.item);
        const line = `${text} ${beside} `;
        if (selected && focused) return <SelectedLine key={key} text={line} />;
        return (
          <Line key={key} as={selected ? "focus" : "text"}>
            {line}
          </Line>
        );
      })}
    </Area>
  );
}
