import type { TreeRow } from "#lib/tree.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { Area, Line, SelectedLine } from "../theme/paint.tsx";
import { visibleRows, type ListCursor } from "./list-cursor.ts";

export interface TreeViewProps<Item> {
  readonly rows: readonly TreeRow<Item>[];
  readonly idOf: (item: Item) => string;
  readonly wordsOf: (item: Item) => string;
  /** Shown at the right. */
  readonly noteOf: (item: Item) => string;
  readonly cursor: ListCursor;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

const foldSigns = { open: "▾", closed: "▸", leaf: " " } as const;

export function TreeView<Item>(props: TreeViewProps<Item>) {
  const { rows, idOf, wordsOf, noteOf, cursor, width, height, focused } = props;
  return (
    <Area width={width} height={height}>
      {visibleRows(rows, cursor, height).map(({ row, isSelected }) => {
        const key = idOf(row.item);
        const note = noteOf(row.item);
        const left = ` ${"  ".repeat(row.depth)}${foldSigns[row.fold]} ${wordsOf(row.item)}`;
        const line = `${fitText(left, width - textWidth(note) - 2)} ${note} `;
        if (isSelected && focused) return <SelectedLine key={key} text={line} />;
        return (
          <Line key={key} as={isSelected ? "focus" : "text"}>
            {line}
          </Line>
        );
      })}
    </Area>
  );
}
