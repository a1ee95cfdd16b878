import { textElement } from "../theme/text.tsx";
import { memo, useMemo, useState } from "react";
import {
  cellOf,
  columnGap,
  FittedTable,
  type Column,
  type FittedColumn,
  type SortMark,
} from "./columns.ts";
import { useSkin } from "../theme/use-look.tsx";
import { settle, type ListCursor } from "../cursor/list-cursor.ts";
import { useStore, type Followed } from "../state/store.ts";
import type { StyledLine } from "../text/styled-lines.ts";
import { fitText } from "../text/text-layout.ts";
import { drawnSpans } from "../text/text-lines.tsx";
import type { Skin } from "../theme/theme.ts";
import { Area, Line, Paint } from "../theme/paint.tsx";

interface DataTableProps<Row> {
  readonly list: TableRows<Row>;
  readonly columns: readonly Column<Row>[];
  readonly width: number;
  /** Rows of the screen, including the heading. */
  readonly height: number;
  readonly focused: boolean;
  readonly marked?: ReadonlySet<string> | undefined;
  readonly sort?: SortMark | undefined;
  /** Unpinned columns that are scrolled away. */
  readonly skip?: number;
}

/** The rows of a table, and its cursor, which it follows by itself. */
export interface TableRows<Row> {
  readonly count: number;
  /** `undefined` for a row that is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  readonly sample: readonly Row[];
  readonly cursor: Followed<ListCursor>;
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

/** The cells of a row without its sign; a step of the cursor does not compute them again. */
function cellsOf<Row>(row: Row | undefined, fitted: readonly FittedColumn<Row>[]): StyledLine {
  if (row === undefined) return [];
  return fitted.flatMap((column, index) => {
    const cell = { text: cellOf(column, row), as: column.column.token?.(row) };
    return index === 0 ? [cell] : [{ text: gap }, cell];
  });
}

function RowLineInner<Row>(props: RowLineProps<Row>) {
  const { row, fitted, selected, focused, marked, skin, width } = props;
  const cells = useMemo(() => cellsOf(row, fitted), [row, fitted]);
  const sign = `${selected ? "▸" : " "}${marked ? "●" : " "}`;
  const [first, ...others] = cells;
  if (first === undefined) return <Line as="quiet">{fitText(`${sign}…`, width)}</Line>;
  // Only the first cell has the look of the selection: a whole row would cost ten times the bytes.
  const chosen = selected && focused ? "selected" : undefined;
  const head = { text: first.text, as: chosen ?? first.as };
  const spans = drawnSpans([{ text: sign, as: chosen }, head, ...others], skin);
  return textElement({ wrap: "truncate-end", ...(marked ? skin.marked : skin.text) }, spans);
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
  const { list, columns, width, height, focused, marked, sort, skip = 0 } = props;
  const { count, rowAt, keyOf, sample } = list;
  const skin = useSkin();
  const hasMarks = marked !== undefined && marked.size > 0;
  const [table] = useState(() => new FittedTable<Row>());
  // The list may count on more rows than fit, e.g. below a warning.
  const { index: selected, top } = settle(useStore(list.cursor), count, height - 1);
  const visible = Math.max(0, Math.min(height - 1, count - top));
  const drawn = useMemo(
    () => Array.from({ length: visible }, (_, offset) => rowAt(top + offset)),
    [rowAt, top, visible],
  );
  const fitted = useMemo(() => {
    const measured = [...sample.slice(0, sampleRows), ...drawn];
    return table.fit(columns, measured, width - gutter, skip, sort?.id);
  }, [table, columns, sample, drawn, width, skip, sort?.id]);
  const head = useMemo(
    () => <Heading fitted={fitted} sort={sort} hidden={columns.length - fitted.length} />,
    [fitted, sort, columns.length],
  );
  return (
    <Area width={width} height={height}>
      {head}
      {drawn.map((row, offset) => (
        <RowLine
          // The key is the row, not the position: scrolling by one draws one new row.
          key={top + offset}
          row={row}
          fitted={fitted}
          width={width}
          selected={top + offset === selected}
          focused={focused}
          marked={hasMarks && row !== undefined && marked.has(keyOf(row))}
          skin={skin}
        />
      ))}
    </Area>
  );
}

function Heading<Row>(props: {
  readonly fitted: readonly FittedColumn<Row>[];
  readonly sort: SortMark | undefined;
  readonly hidden: number;
}) {
  const { fitted, sort, hidden } = props;
  return (
    <Line as="heading">
      {" ".repeat(gutter)}
      {heading(fitted, sort)}
      {hidden > 0 ? <Paint as="quiet"> +{hidden}</Paint> : null}
    </Line>
  );
}
