import { textElement } from "../theme/text.tsx";
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import {
  cellOf,
  columnGap,
  FittedTable,
  type Column,
  type FittedColumn,
  type SortMark,
} from "./columns.ts";
import { numberWidth, rowNumber, spokenPart } from "../spoken/spoken.ts";
import { usePart } from "../state/part.ts";
import { useMouse } from "../mouse/mouse.ts";
import { useSkin } from "../theme/use-look.tsx";
import { settle, type ListCursor } from "../cursor/list-cursor.ts";
import { useStore, type Followed } from "../state/store.ts";
import type { StyledLine } from "../text/styled-lines.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { drawnSpans } from "../text/text-lines.tsx";
import type { Skin } from "../theme/skin.ts";
import { Area, Line, Paint } from "../theme/paint.tsx";

interface DataTableProps<Row> {
  readonly list: TableRows<Row>;
  readonly columns: readonly Column<Row>[];
  readonly width: number;
  /** Rows of the screen, including the heading. */
  readonly height: number;
  readonly focused: boolean;
  readonly marked?: ReadonlySet<string> | undefined;
  /** True for a row that has changed since the user's last look. */
  readonly isNew?: ((row: Row) => boolean) | undefined;
  readonly sort?: SortMark | undefined;
  /** Called for a click on the heading of a column. */
  readonly onHeading?: ((id: string) => void) | undefined;
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
  /** The index of the selected row that has left the list. */
  readonly ghost?: number | undefined;
  readonly cursor: Followed<ListCursor>;
}

const gap = " ".repeat(columnGap);
const gutter = 2;
/** The look of a cell that has just changed, and how long it has it. */
const flash = "quote";
const flashMs = 800;
/** The sign of a row that is new since the last look. */
const newSign = "•";
const nothingFlashed: ReadonlySet<string> = new Set();
/** Rows that are measured in addition to the visible ones. */
const sampleRows = 100;

interface RowLineProps<Row> {
  readonly row: Row | undefined;
  /** The key of the row; undefined while it is not loaded. */
  readonly id: string | undefined;
  readonly fitted: readonly FittedColumn<Row>[];
  readonly width: number;
  readonly selected: boolean;
  readonly focused: boolean;
  readonly marked: boolean;
  readonly isNew: boolean;
  readonly isGhost: boolean;
  /** The number of a row that is read aloud. */
  readonly index: number | undefined;
  readonly skin: Skin;
}

/** The cells of a row without its sign; a step of the cursor does not compute them again. */
function cellsOf<Row>(
  row: Row | undefined,
  fitted: readonly FittedColumn<Row>[],
  flashed: ReadonlySet<string>,
): StyledLine {
  if (row === undefined) return [];
  return fitted.flatMap((column, index) => {
    const { id, token } = column.column;
    const cell = { text: cellOf(column, row), as: flashed.has(id) ? flash : token?.(row) };
    return index === 0 ? [cell] : [{ text: gap }, cell];
  });
}

/** The selected row: a bar over the whole width, in one look but for cells that have changed. */
function barOf(sign: string, cells: StyledLine, width: number): StyledLine {
  if (cells.every(({ as }) => as !== flash)) {
    return [{ text: fitText(sign + cells.map(({ text }) => text).join(""), width) }];
  }
  const parts = cells.map(({ text, as }) => (as === flash ? { text, as } : { text }));
  const taken = [{ text: sign }, ...parts].reduce((sum, { text }) => sum + textWidth(text), 0);
  return [{ text: sign }, ...parts, { text: " ".repeat(Math.max(0, width - taken)) }];
}

/** The columns whose cells differ between two states of a row at the same time. */
function changedColumns<Row>(
  before: Row,
  row: Row,
  fitted: readonly FittedColumn<Row>[],
): ReadonlySet<string> {
  const changed = fitted.filter((column) => cellOf(column, before) !== cellOf(column, row));
  return new Set(changed.map(({ column }) => column.id));
}

/** The columns of a row that has just changed, for a moment. */
function useFlashed<Row>({ row, id, fitted }: RowLineProps<Row>): ReadonlySet<string> {
  const [flashed, setFlashed] = useState(nothingFlashed);
  const seen = useRef({ row, id });
  const columns = useRef(fitted);
  useEffect(() => {
    columns.current = fitted;
  });
  useEffect(() => {
    const before = seen.current;
    seen.current = { row, id };
    if (row === undefined || before.row === undefined || before.id !== id) return undefined;
    const changed = changedColumns(before.row, row, columns.current);
    if (changed.size === 0) return undefined;
    setFlashed(changed);
    const timer = setTimeout(() => setFlashed(nothingFlashed), flashMs);
    return () => {
      clearTimeout(timer);
      setFlashed(nothingFlashed);
    };
  }, [row, id]);
  return flashed;
}

function RowLineInner<Row>(props: RowLineProps<Row>) {
  const { row, fitted, selected, focused, marked, isNew, isGhost, index, skin, width } = props;
  const flashed = useFlashed(props);
  const cells = useMemo(() => cellsOf(row, fitted, flashed), [row, fitted, flashed]);
  const number = index === undefined ? undefined : rowNumber(index, props);
  const sign =
    number ?? `${selected ? "▸" : " "}${isGhost ? "⊘" : marked ? "●" : isNew ? newSign : " "}`;
  if (cells.length === 0) return <Line as="quiet">{fitText(`${sign}…`, width)}</Line>;
  if (isGhost) {
    const text = sign + cells.map((cell) => cell.text).join("");
    return <Line as="quiet">{text}</Line>;
  }
  if (selected && focused) {
    const bar = drawnSpans(barOf(sign, cells, width), { ...skin, text: skin.selected });
    return textElement({ wrap: "truncate-end", ...skin.selected }, bar);
  }
  const look = isNew && !marked ? "busy" : undefined;
  const spans = drawnSpans([{ text: sign, as: look }, ...cells], skin);
  return textElement({ wrap: "truncate-end", ...(marked ? skin.marked : skin.text) }, spans);
}

// memo loses the type parameter.
const RowLine = memo(RowLineInner) as typeof RowLineInner;

function headingWords<Row>(
  fitted: readonly FittedColumn<Row>[],
  sort: SortMark | undefined,
): string {
  return fitted
    .map(({ column, width }) => {
      const mark = sort?.id === column.id ? (sort.descending ? " ↓" : " ↑") : "";
      return fitText(column.title.toUpperCase() + mark, width, column.align);
    })
    .join(gap);
}

/** A table over any number of rows that draws only the visible ones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list, columns, width, height, focused, marked, isNew, sort, skip = 0 } = props;
  const { onHeading } = props;
  const { count, rowAt, keyOf, sample } = list;
  const skin = useSkin();
  const isSpoken = usePart(spokenPart).isSpoken;
  const signWidth = isSpoken ? numberWidth : gutter;
  const hasMarks = marked !== undefined && marked.size > 0;
  const [table] = useState(() => new FittedTable<Row>());
  // The list may count on more rows than fit, e.g. below a warning.
  const { index: selected, top } = settle(useStore(list.cursor), count, height - 1);
  const visible = Math.max(0, Math.min(height - 1, count - top));
  const drawn = useMemo(
    () => Array.from({ length: visible }, (_, offset) => rowAt(top + offset)),
    [rowAt, top, visible],
  );
  const ids = useMemo(
    () => drawn.map((row) => (row === undefined ? undefined : keyOf(row))),
    [drawn, keyOf],
  );
  const fitted = useMemo(() => {
    const measured = [...sample.slice(0, sampleRows), ...drawn];
    return table.fit(columns, measured, width - signWidth, skip, sort?.id);
  }, [table, columns, sample, drawn, width, signWidth, skip, sort?.id]);
  const head = useMemo(() => {
    const heading = <Heading fitted={fitted} sort={sort} hidden={columns.length - fitted.length} />;
    if (onHeading === undefined) return heading;
    return (
      <ClickedHeading fitted={fitted} onHeading={onHeading}>
        {heading}
      </ClickedHeading>
    );
  }, [fitted, sort, columns.length, onHeading]);
  return (
    <Area width={width} height={height}>
      {head}
      {drawn.map((row, offset) => (
        <RowLine
          // The key is the row, not the position: scrolling by one draws one new row.
          key={top + offset}
          row={row}
          id={ids[offset]}
          fitted={fitted}
          width={width}
          selected={top + offset === selected}
          focused={focused}
          isGhost={top + offset === list.ghost}
          index={isSpoken ? top + offset : undefined}
          isNew={row !== undefined && isNew?.(row) === true}
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
      {headingWords(fitted, sort)}
      {hidden > 0 ? <Paint as="quiet"> +{hidden}</Paint> : null}
    </Line>
  );
}

/** The column whose heading is at a place of the line; undefined outside of all. */
function columnAt<Row>(fitted: readonly FittedColumn<Row>[], x: number): string | undefined {
  let end = gutter;
  if (x < end) return undefined;
  const found = fitted.find(({ width }) => {
    end += width + columnGap;
    return x < end;
  });
  return found?.column.id;
}

function ClickedHeading<Row>(props: {
  readonly fitted: readonly FittedColumn<Row>[];
  readonly onHeading: (id: string) => void;
  readonly children: ReactNode;
}) {
  const { fitted, onHeading, children } = props;
  const node = useMouse({
    scope: "place",
    repeats: true,
    press: (x) => {
      const id = columnAt(fitted, x);
      if (id !== undefined) onHeading(id);
    },
  });
  return (
    <Area height={1} node={node}>
      {children}
    </Area>
  );
}
