import { Text } from "../theme/text.tsx";
import { memo, useState } from "react";
import {
  cellOf,
  columnGap,
  FittedTable,
  type Column,
  type FittedColumn,
  type SortMark,
} from "./columns.ts";
import { useSkin } from "../theme/use-theme.tsx";
import { settle, type ListCursor } from "../lists/list-cursor.ts";
import { fitText } from "../text/text-layout.ts";
import { drawnSpans } from "../text/text-lines.tsx";
import type { Skin } from "../theme/theme.ts";
import { Area, Line, Paint } from "../theme/paint.tsx";

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** `undefined` for a row that is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  readonly sample: readonly Row[];
  readonly cursor: ListCursor;
  readonly width: number;
  /** Rows of the screen, including the heading. */
  readonly height: number;
  readonly focused: boolean;
  readonly marked?: ReadonlySet<string>;
  readonly sort?: SortMark | undefined;
  /** Unpinned columns that are scrolled away. */
  readonly skip?: number;
}

const gap = " ".repeat(columnGap);
const gutter = 2;
/** Rows that are measured in addition to the visible ones. */
const sampleRows = 100;

interface RowLineProps<Row> {
  readonly row: Row | undefined;
  readonly fitted: readonly FittedColumn<Row>[];
  readonly width: number;
  readonly selected: boolean;
  readonly focused: boolean;
  readonly marked: boolean;
  readonly skin: Skin;
}

function RowLineInner<Row>(props: RowLineProps<Row>) {
  const { row, fitted, selected, focused, marked, skin, width } = props;
  const sign = `${selected ? "▸" : " "}${marked ? "●" : " "}`;
  if (row === undefined) return <Line as="quiet">{fitText(`${sign}…`, width)}</Line>;
  // Only the first cell has the look of the selection: a whole row would cost ten times the bytes.
  const chosen = selected && focused ? "selected" : undefined;
  const cells = fitted.flatMap((column, index) => [
    { text: index === 0 ? "" : gap },
    { text: cellOf(column, row), as: (index === 0 && chosen) || column.column.token?.(row) },
  ]);
  return (
    <Text wrap="truncate-end" {...(marked ? skin.marked : skin.text)}>
      {drawnSpans([{ text: sign, as: chosen }, ...cells], skin)}
    </Text>
  );
}

// memo loses the type parameter.
const RowLine = memo(RowLineInner) as typeof RowLineInner;

function heading<Row>(fitted: readonly FittedColumn<Row>[], sort: SortMark | undefined): string {
  return fitted
    .map(({ column, width }) => {
      const mark = sort?.id === column.id ? (sort.descending ? " ↓" : " ↑") : "";
      return fitText(column.title.toUpperCase() + mark, width, column.align);
    })
    .join(gap);
}

/** A table over any number of rows that draws only the visible ones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, count, rowAt, keyOf, sample, cursor, width, height, focused, skip = 0 } = props;
  const skin = useSkin();
  const [table] = useState(() => new FittedTable<Row>());
  // The list may count on more rows than fit, e.g. below a warning.
  const { index: selected, top } = settle(cursor, count, height - 1);
  const visible = Math.max(0, Math.min(height - 1, count - top));
  const drawn = Array.from({ length: visible }, (_, offset) => rowAt(top + offset));
  const fitted = table.fit(
    columns,
    [...sample.slice(0, sampleRows), ...drawn],
    width - gutter,
    skip,
    props.sort?.id,
  );
  const hidden = columns.length - fitted.length;
  return (
    <Area width={width} height={height}>
      <Line as="heading">
        {" ".repeat(gutter)}
        {heading(fitted, props.sort)}
        {hidden > 0 ? <Paint as="quiet"> +{hidden}</Paint> : null}
      </Line>
      {drawn.map((row, offset) => {
        const index = top + offset;
        return (
          <RowLine
            // The key is the row, not the position: scrolling by one draws one new row.
            key={index}
            row={row}
            fitted={fitted}
            width={width}
            selected={index === selected}
            focused={focused}
            marked={row !== undefined && (props.marked?.has(keyOf(row)) ?? false)}
            skin={skin}
          />
        );
      })}
    </Area>
  );
}
