import type { ReactNode } from "react";
import type { Column, SortMark } from "../table/columns.ts";
import { DataTable } from "../table/data-table.tsx";
import { Line } from "../theme/paint.tsx";
import { useMouse, useRowClick } from "../mouse/mouse.ts";
import { Area } from "../theme/paint.tsx";
import { wrapText } from "../text/text-layout.ts";
import type { ListCursor } from "../cursor/list-cursor.ts";
import type { Followed } from "../state/store.ts";
import { Empty, Stale, Unanswered } from "../panes/states.tsx";
import type { LiveList } from "./live-list.ts";

interface EmptyWords {
  readonly words: string;
  readonly next?: string;
}

export interface ListBodyProps<Row> {
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly sort?: SortMark | undefined;
  /** Sorts by the column whose heading was clicked; absent for a list with one order. */
  readonly onSort?: ((id: string) => void) | undefined;
  readonly marked?: ReadonlySet<string> | undefined;
  readonly isNew?: ((row: Row) => boolean) | undefined;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** Called for a click, to focus the pane. */
  readonly onClick?: (() => void) | undefined;
  /** Shown during the first load, e.g. `Loading documents`. */
  readonly loading: string;
  /** The next step after a failure, if it is not to try again. */
  readonly mend?: string | undefined;
  readonly caution?: string | undefined;
  readonly empty: EmptyWords;
  /** Shown where the platform does not have the list; by default its failure. */
  readonly missing?: EmptyWords | undefined;
}

function isStale<Row>({ failure, count }: LiveList<Row>): boolean {
  return failure !== undefined && count > 0;
}

function cautionLines({ caution = "", width }: { caution?: string | undefined; width: number }) {
  return caution === "" ? [] : wrapText(caution, width - 2);
}

/** The rows of the screen that are left for the table. */
export function tableHeight<Row>(props: ListBodyProps<Row>): number {
  return props.height - (isStale(props.list) ? 1 : 0) - cautionLines(props).length;
}

/** A list in one of its five states: first load, loaded, empty, failed, stale. */
export function ListBody<Row>(props: ListBodyProps<Row> & { readonly skip?: number }) {
  const { list, width, height, mend } = props;
  const { failure, answeredAtMs } = list;
  const { onSort, onClick } = props;
  const onHeading =
    onSort &&
    ((id: string) => {
      onClick?.();
      onSort(id);
    });
  const area = { width, height };
  if (list.count === 0) {
    if (failure?.isMissingRoute === true && props.missing !== undefined) {
      return <Empty {...area} {...props.missing} />;
    }
    if (failure !== undefined || answeredAtMs === undefined) {
      return <Unanswered {...area} failure={failure} loading={props.loading} next={mend} />;
    }
    return <Empty {...area} {...props.empty} />;
  }
  return (
    <>
      <Stale failure={failure} answeredAtMs={answeredAtMs} width={width} />
      {cautionLines(props).map((line, index) => (
        <Line key={index} as="warn">
          {index === 0 ? "▲ " : "  "}
          {line}
        </Line>
      ))}
      <ClickedRows list={list} height={tableHeight(props)} onClick={props.onClick}>
        <DataTable
          list={list}
          columns={props.columns}
          width={width}
          height={tableHeight(props)}
          focused={props.focused}
          sort={props.sort}
          onHeading={onHeading}
          skip={props.skip ?? 0}
          marked={props.marked}
          isNew={props.isNew}
        />
      </ClickedRows>
    </>
  );
}

/** Rows below a heading, of which a click selects one and a double click opens it. */
function ClickedRows(props: {
  readonly list: { readonly cursor: Followed<ListCursor> };
  readonly height: number;
  readonly onClick: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const { list, height, onClick, children } = props;
  const click = useRowClick(list.cursor);
  const node = useMouse({
    scope: "place",
    opens: true,
    press: (_, y) => {
      onClick?.();
      click(y - 1);
    },
  });
  return (
    <Area height={height} node={node}>
      {children}
    </Area>
  );
}
