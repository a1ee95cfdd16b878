import { useMemo } from "react";
import { useRemembered } from "../state/use-remembered.ts";
import { rowsFrom, type LiveList } from "./live-list.ts";

/** The marks of a list, as its keys and its frame use them. */
export interface PlaceMarks {
  readonly ids: ReadonlySet<string>;
  /** Marks or unmarks `count` rows from the selected one. */
  readonly toggle: (count: number) => void;
  /** Marks the rows from the last marked one to the selected one. */
  readonly range: () => void;
  /** Marks all rows of the list, or unmarks them if all are marked. */
  readonly all: () => void;
  readonly clear: () => void;
}

export interface RowMarks<Row> extends PlaceMarks {
  readonly rows: readonly Row[];
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
}

/** The rows that a key acts on: the marked ones where the list is in sight, else this one. */
export function chosenRows<Row>(
  row: Row,
  marks: Pick<RowMarks<Row>, "rows"> | undefined,
  panes: { readonly listHidden: boolean },
): readonly Row[] {
  const marked = marks?.rows ?? [];
  return panes.listHidden || marked.length === 0 ? [row] : marked;
}

const maximumMarks = 1_000;

interface Marked<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly anchor: string | undefined;
}

const nothing: Marked<never> = { rows: new Map<string, never>(), anchor: undefined };

/** The marked rows of a list with small rows, remembered between visits; at most 1,000. */
export function useRowMarks<Row>(name: string, list: LiveList<Row>): RowMarks<Row> {
  const [marked, setMarked] = useRemembered<Marked<Row>>(`marked ${name}`, nothing);
  const { rows, anchor } = marked;
  const ids = useMemo(() => new Set(rows.keys()), [rows]);
  const put = (next: ReadonlyMap<string, Row>, last: Row | undefined) => {
    if (next.size > maximumMarks) return;
    setMarked({ rows: next, anchor: last === undefined ? undefined : list.keyOf(last) });
  };
  const loaded = (first: number, count: number) =>
    rowsFrom(list, first, count).filter((row) => row !== undefined);
  const marksOf = (some: readonly Row[]) => some.map((row) => [list.keyOf(row), row] as const);
  return {
    ids,
    rows: [...rows.values()],
    toggle: (count) => {
      const { index } = list.cursor.get();
      const next = new Map(rows);
      for (const [id, row] of marksOf(loaded(index, count))) {
        if (!next.delete(id)) next.set(id, row);
      }
      put(next, list.rowAt(index + count - 1));
      list.cursor.moves.down?.(count);
    },
    range: () => {
      const { index } = list.cursor.get();
      const start = list.indexOf(anchor ?? "");
      const first = start === -1 ? index : Math.min(start, index);
      const between = loaded(first, Math.max(start, index) - first + 1);
      put(new Map([...rows, ...marksOf(between)]), list.rowAt(index));
    },
    all: () => {
      const all = marksOf(loaded(0, Math.min(list.count, maximumMarks)));
      if (all.every(([id]) => ids.has(id))) return setMarked(nothing);
      return put(new Map(all), undefined);
    },
    clear: () => setMarked(nothing),
    keepOnly: (left) =>
      setMarked((now) => ({
        rows: new Map([...now.rows].filter(([id]) => left.has(id))),
        anchor: undefined,
      })),
  };
}
