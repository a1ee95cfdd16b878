import { useCallback, useMemo, type ReactElement, type ReactNode } from "react";
import {
  useFieldFilter,
  useNoFilter,
  useTextFilter,
  type FieldFilter,
  type Filter,
  type TextFilter,
} from "../filter/use-filter.ts";
import { FilterLine } from "../filter/filter-line.tsx";
import { filterHint } from "../keys/base-keys.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import type { Key, KeyGroup } from "../keys/keys.ts";
import type { KeyFacts } from "../keys/reasons.ts";
import { useAgeTime, useKeyOffer, useKeys } from "../keys/use-keys.ts";
import { ListDetail } from "../lists/list-detail.tsx";
import { useRowMarks, type PlaceMarks, type RowMarks } from "../lists/use-row-marks.ts";
import { listRows } from "../lists/list-pane.tsx";
import type { LiveList } from "../lists/live-list.ts";
import { useOpenedRow, type Opened, type OpenedRow } from "../lists/use-opened-row.ts";
import type { Layout, Size } from "../panes/layout.ts";
import { useMasterDetail, type MasterDetailState } from "../panes/use-master-detail.ts";
import { useLayout } from "../panes/use-panes.ts";
import type { PaneTabs } from "../panes/tabs.ts";
import { usePart } from "../state/part.ts";
import { useSelected } from "../state/store.ts";
import { countWords } from "../text/words.ts";
import type { Column, SortMark } from "../table/columns.ts";
import { useSubject } from "./subject.ts";
import { placeShellPart, type Action, type CommandWords, type PlaceList } from "./action.ts";
import { rowSearch, searchedList } from "./row-search.ts";
import type { PlaceTab } from "./tabbed-place.tsx";

/** The rows of a place, and what else its frame shows. */
export interface PlaceTable<Row> {
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly facts?: readonly string[];
  readonly sort?: SortMark;
  /** Sorts by a column, which the table may also not be able to. */
  readonly sortBy?: (id: string) => void;
  /** Rows can be marked; the keys of marks then work in the list. */
  readonly marks?: PlaceMarks | undefined;
  readonly caution?: string | undefined;
  /** Tabs of the list, which its frame has. */
  readonly tabs?: PaneTabs | undefined;
  /** Lines above the list, which its height leaves room for. */
  readonly above?: { readonly rows: number; readonly draw: (width: number) => ReactNode };
}

/** The table of a list place, whose rows may be marked. */
export interface ListTable<Row> extends PlaceTable<Row> {
  readonly marks?: RowMarks<Row> | undefined;
}

type NoProps = Readonly<Record<never, never>>;

export interface TableRequest<Props = NoProps> {
  readonly props: Props;
  readonly filter: Filter;
  readonly panes: MasterDetailState;
  /** Rows of the list that fit. */
  readonly height: number;
}

/** A place at the time of a key. */
export interface PlaceNow<Row, Table, Props = NoProps> extends TableRequest<Props> {
  readonly table: Table;
  readonly opened: OpenedRow<Row>;
}

export interface DetailProps<Row, Table, Props = NoProps> extends PlaceNow<Row, Table, Props> {
  readonly shown: Opened<Row>;
  readonly area: Size;
  readonly focused: boolean;
}

/** Words for a list without rows, and the key that leads on. */
interface EmptyWords {
  readonly words: string;
  readonly next?: string;
  /** A key, and its effect: `uploads a file` */
  readonly offer?: readonly [key: Key, does: string];
}

interface RowKeys<Keys extends KeyGroup> {
  readonly facts: KeyFacts;
  readonly handlers?: KeyHandlers<Keys>;
}

/** A part of a place that may depend on what it shows. */
type For<Subject, Value> = Value | ((subject: Subject) => Value);

interface CommonPlace<Row, Keys extends KeyGroup, Table, Props> {
  /** The name under which its opened row is remembered. */
  readonly name: For<Props, string>;
  readonly title: For<PlaceNow<Row, Table, Props>, string>;
  readonly loading: For<Props, string>;
  readonly search?: For<Props, TextFilter>;
  readonly filter?: For<Props, FieldFilter>;
  /** A hook: a filter of another kind. */
  readonly useFilter?: (props: Props) => Filter;
  /** Actions on the opened row, by the intent of their key. */
  readonly actions?: { readonly [Intent in keyof KeyHandlers<Keys>]?: Action<Row> };
  /** A hook: the other keys of the place. */
  readonly useHandlers?: (now: PlaceNow<Row, Table, Props>) => KeyHandlers<Keys>;
  /** A hook: the keys of the list alone, in addition to moving. */
  readonly useListHandlers?: (now: PlaceNow<Row, Table, Props>) => KeyHandlers<Keys>;
  /** A hook: the keys that depend on the selected row, and the facts by which keys are disabled. */
  readonly useRowKeys?: (row: Row | undefined) => RowKeys<Keys>;
  /** Something that esc ends before it ends the filter. */
  readonly clears?: (now: PlaceNow<Row, Table, Props>) => (() => void) | undefined;
  /** Whether esc does not leave the place. */
  readonly stays?: boolean;
  /** Facts about the place, by which its keys are disabled. */
  readonly facts?: (now: PlaceNow<Row, Table, Props>) => KeyFacts;
  /** The list's place among the marks of the platform, so that rows are marked that are new. */
  readonly news?: {
    readonly place: For<Props, string>;
    readonly idOf: (row: Row) => string | undefined;
  };
  /** The text of a row that is copied. */
  readonly copied?: (row: Row) => string | undefined;
  /** The command that shows the same; none while it needs a row. */
  readonly command: (
    row: Row | undefined,
    now: PlaceNow<Row, Table, Props>,
  ) => CommandWords | undefined;
  readonly empty: For<PlaceNow<Row, Table, Props>, EmptyWords>;
  /** Shown where the platform does not have the list. */
  readonly missing?: EmptyWords;
  readonly Detail?: (props: DetailProps<Row, Table, Props>) => ReactElement;
  /** The details have the whole width below the list, on a wide screen too. */
  readonly isStacked?: boolean;
}

/** A list place as data; functions whose name begins with "use" are hooks. */
interface ListPlace<Row, Keys extends KeyGroup, Props> extends CommonPlace<
  Row,
  Keys,
  ListTable<Row>,
  Props
> {
  readonly list: For<Props, PlaceList<Row>>;
  /** The columns; ages are counted to the time. */
  readonly columns: For<number, readonly Column<Row>[]>;
  readonly listFacts?: readonly string[];
  /** Whether rows can be marked, so that a key acts on many. */
  readonly hasMarks?: boolean;
}

interface TablePlace<
  Row,
  Keys extends KeyGroup,
  Table extends PlaceTable<Row>,
  Props,
> extends CommonPlace<Row, Keys, Table, Props> {
  readonly useTable: (request: TableRequest<Props>) => Table;
}

/** The props of each place; `tab` is given where it is a part of another one. */
interface PartProps {
  readonly tab?: PlaceTab;
}

function valueFor<Subject, Value extends object | string>(
  value: For<Subject, Value>,
  subject: Subject,
): Value {
  return typeof value === "function" ? value(subject) : value;
}

/** The screen of a list place, which the kit draws. */
export function listPlace<Row, Keys extends KeyGroup = NoProps, Props = NoProps>(
  place: ListPlace<Row, Keys, Props>,
) {
  const { list: question, columns: columnsAt, listFacts = [], hasMarks = false, ...own } = place;
  const useMarks = hasMarks ? useRowMarks : useNoMarks;
  const isSearchedHere = ![place.search, place.filter, place.useFilter].some(Boolean);
  const search = (props: Props) => rowSearch(valueFor(place.name, props));
  const common = isSearchedHere ? { ...own, search } : own;
  const columnsNow = () => valueFor(columnsAt, Date.now());
  function useTable({ props, filter, height }: TableRequest<Props>): ListTable<Row> {
    const { useRows } = usePart(placeShellPart);
    const asked = valueFor(question, props);
    const list = useRows(isSearchedHere ? searchedList(asked, columnsNow) : asked, filter, height);
    const nowMs = useAgeTime(list.sample);
    const columns = useMemo(() => valueFor(columnsAt, nowMs), [nowMs]);
    const marks = useMarks<Row>(valueFor(place.name, props), list);
    return { list, columns, marks, facts: listFacts };
  }
  return tablePlace<Row, Keys, ListTable<Row>, Props>({ ...common, useTable });
}

/** A list place whose frame shows more than rows and columns. */
export function tablePlace<
  Row,
  Keys extends KeyGroup,
  Table extends PlaceTable<Row>,
  Props = NoProps,
>(place: TablePlace<Row, Keys, Table, Props>) {
  const useFilter = filterHookOf(place);
  const useIsNew = newsHookOf(place);
  const usePlaceLayout = place.isStacked === true ? useStackedLayout : useLayout;
  const { useTable, useRowKeys, useListHandlers = useNoHandlers, Detail } = place;

  function RowKeys(props: {
    readonly table: Table;
    readonly opened: OpenedRow<Row>;
    readonly use: (row: Row | undefined) => RowKeys<Keys>;
  }) {
    const { table, opened, use: useRow } = props;
    const { facts, handlers = {} } = useRow(useSelected(table.list.cursor, () => opened.get().row));
    useKeys<Keys>("place", handlers, { facts });
    return null;
  }

  return function ListPlace(props: Props & PartProps): ReactElement {
    const layout = usePlaceLayout();
    const filter = useFilter(props);
    const hasDetail = Detail !== undefined;
    const name = valueFor(place.name, props);
    const panes = useMasterDetail({ active: !filter.typing, layout, hasDetail, name });
    const height = listRows(panes.listHeight - filter.rows);
    const request: TableRequest<Props> = { props, filter, panes, height };
    const table = useTable(request);
    const isNew = useIsNew(props);
    const opened = useSubject(useOpenedRow(name, table.list, panes.detailChosen));
    const now: PlaceNow<Row, Table, Props> = { ...request, table, opened };
    usePlaceKeys(place, now, props.tab);
    const offer = useOffer();
    const detail = (area: Size, focused: boolean) =>
      Detail && <Detail {...now} shown={opened.get()} area={area} focused={focused} />;
    return (
      <>
        {useRowKeys && <RowKeys table={table} opened={opened} use={useRowKeys} />}
        <ListDetail<Row>
          layout={layout}
          panes={panes}
          above={aboveList(table, filter)}
          title={valueFor(place.title, now)}
          tabs={props.tab?.tabs ?? table.tabs}
          facts={[...markedFacts(table.marks), ...(table.facts ?? []), ...filter.facts]}
          list={table.list}
          columns={table.columns}
          sort={table.sort}
          onSort={table.sortBy}
          marked={table.marks?.ids}
          isNew={isNew}
          caution={table.caution}
          mend={filter.text !== "" && table.list.failure?.status === 422 ? filterHint() : undefined}
          loading={valueFor(place.loading, props)}
          empty={
            filter.text === ""
              ? offer(valueFor(place.empty, now))
              : { words: filter.noMatch, next: filterHint() }
          }
          missing={place.missing && offer(place.missing)}
          handlers={{ mark: table.marks?.toggle, ...useListHandlers(now) }}
          detail={hasDetail ? detail : undefined}
        />
      </>
    );
  };
}

/** The layout of the screen, whose details are below the list where it is wide too. */
function useStackedLayout(): Layout {
  const layout = useLayout();
  return layout.shape === "wide" ? { ...layout, shape: "normal" } : layout;
}

function useNoMarks(): undefined {
  return undefined;
}

type IsNew<Row> = (row: Row) => boolean;

const nothingNew = () => false;

function newsHookOf<Row, Props>({
  news,
}: {
  readonly news?: CommonPlace<Row, KeyGroup, never, Props>["news"];
}): (props: Props) => IsNew<Row> {
  if (news === undefined) return () => nothingNew;
  const { place, idOf } = news;
  return function useIsNew(props) {
    const ids = usePart(placeShellPart).useNews(valueFor(place, props));
    return useCallback((row) => ids.has(idOf(row) ?? ""), [ids]);
  };
}

function markedFacts(marks: PlaceMarks | undefined): string[] {
  const count = marks?.ids.size ?? 0;
  return count === 0 ? [] : [`${countWords(count)} marked`];
}

function filterHookOf<Props>(place: {
  readonly search?: For<Props, TextFilter>;
  readonly filter?: For<Props, FieldFilter>;
  readonly useFilter?: (props: Props) => Filter;
}): (props: Props) => Filter {
  const { search, filter, useFilter } = place;
  if (useFilter !== undefined) return useFilter;
  if (search !== undefined) return (props) => useTextFilter(valueFor(search, props));
  return filter === undefined ? useNoFilter : (props) => useFieldFilter(valueFor(filter, props));
}

/** The lines above a list: its own ones, and the filter while it is typed. */
function aboveList<Row>({ above, list }: PlaceTable<Row>, filter: Filter) {
  const { failure, count } = list;
  return {
    rows: (above?.rows ?? 0) + filter.rows,
    draw: (width: number) => (
      <>
        {above?.draw(width)}
        {filter.rows === 0 ? null : (
          <FilterLine filter={filter} failure={failure} rows={count} width={width} />
        )}
      </>
    ),
  };
}

/** The text of an empty list, with the key that leads on or the reason why it is disabled. */
function useOffer() {
  const offerOf = useKeyOffer();
  return ({ words, next, offer }: EmptyWords) => {
    const [key, does] = offer ?? [];
    const hint = key === undefined || does === undefined ? next : `${offerOf(key, does)}.`;
    return hint === undefined ? { words } : { words, next: hint };
  };
}

function usePlaceKeys<Row, Keys extends KeyGroup, Table extends PlaceTable<Row>, Props>(
  place: TablePlace<Row, Keys, Table, Props>,
  now: PlaceNow<Row, Table, Props>,
  tab: PlaceTab | undefined,
): void {
  const { filter, panes, table, opened } = now;
  const { list } = table;
  const { useHandlers = useNoHandlers, actions = {}, copied, command } = place;
  const shell = usePart(placeShellPart);
  const end = (action: Action<Row>, answer: unknown) => {
    list.refresh();
    if (action.removes === true && answer !== undefined) panes.close();
  };
  const acting = Object.fromEntries(
    Object.entries<Action<Row> | undefined>(actions).map(([intent, action]) => [
      intent,
      action && opened.act((row) => shell.act(action, row, (answer) => end(action, answer))),
    ]),
  );
  const back = place.stays === true ? undefined : (tab?.toFirst ?? shell.back);
  const { marks } = table;
  const unmark = marks === undefined || marks.ids.size === 0 ? undefined : marks.clear;
  const leave = unmark ?? place.clears?.(now) ?? (filter.text === "" ? back : filter.clear);
  const { row } = opened.get();
  useKeys<Keys>(
    "place",
    {
      filter: panes.listHidden ? undefined : filter.start,
      nextTab: tab?.nextTab,
      previousTab: tab?.previousTab,
      markRange: panes.listHidden ? undefined : marks?.range,
      markAll: panes.listHidden ? undefined : marks?.all,
      copyText: copied && opened.act((one) => shell.copy(copied(one) ?? "")),
      copyCommand: () => {
        const words = command(opened.get().row, now);
        if (words !== undefined) shell.copyCommand(...words);
      },
      goBack: panes.detailFocused ? panes.close : leave,
      ...acting,
      ...useHandlers(now),
    },
    {
      active: !filter.typing,
      facts: {
        rows: row === undefined ? list.count : Math.max(1, list.count),
        marked: panes.listHidden ? 0 : (marks?.ids.size ?? 0),
        ...place.facts?.(now),
      },
    },
  );
}

const noHandlers = {};
function useNoHandlers() {
  return noHandlers;
}
