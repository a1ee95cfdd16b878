import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import type { PaneTabs } from "../../../kit/panes/tabs.ts";
import type { Filter } from "../../../kit/filter/use-filter.ts";
import { useRemembered } from "../../../kit/state/use-remembered.ts";
import { useAnswer } from "../../../shell/platform/use-answer.ts";
import { useObjectTypes } from "../../../shell/platform/use-object-types.ts";
import { viewType } from "../../../shell/platform/shown-types.ts";
import { newestFirst, type RecordOrder } from "../use-record-order.ts";
import { useChosenColumns } from "../use-chosen-columns.ts";
import {
  allName,
  allViews,
  isSameView,
  maximumViews,
  readOwnViews,
  sharedViews,
  viewData,
  withView,
  type NamedView,
  type ShownView,
  type View,
} from "./views.ts";

const noViews = { views: [] };
const nothingKept: { readonly columns?: readonly string[] | undefined } = {};

/** The named views of a type's list, and the one that is shown. */
export interface Views {
  readonly all: readonly ShownView[];
  /** The tabs, that of the list without a view first; absent without a view. */
  readonly tabs: PaneTabs | undefined;
  /** The tab whose filter, order and columns the list has; undefined for others. */
  readonly open: string | undefined;
  readonly shown: ShownView | undefined;
  /** The filter, order and columns of the list now. */
  readonly now: View;
  /** Shows a view by its name, or the list without one. */
  readonly show: (name: string) => void;
  readonly keep: (view: NamedView) => void;
  readonly forget: (name: string) => void;
}

/** The views that all of the workspace have; none while no record keeps one. */
function useSharedViews({ slug }: ObjectType): readonly ShownView[] {
  const types = useObjectTypes();
  const hasType = types.value?.some((type) => type.slug === viewType) === true;
  const { value } = useAnswer(
    ["resources.list", viewType, slug],
    (client, signal, tenantId) =>
      client
        .useResources(viewType, { tenantId })
        .list({ where: { objectType: slug }, limit: maximumViews, sort: "name", signal }),
    { enabled: hasType },
  );
  const items = hasType ? value?.items : undefined;
  return useMemo(() => sharedViews(items ?? []), [items]);
}

/** The named views of a type, and how its list gets another one. */
export function useViews(type: ObjectType, filter: Filter, order: RecordOrder): Views {
  const { slug } = type;
  const [kept, setKept] = useRemembered<object>(`views ${slug}`, noViews);
  const [columns, keepColumns] = useChosenColumns(slug);
  // The columns of the list without a view, which come back with it.
  const [before, setBefore] = useRemembered(`columns of all ${slug}`, nothingKept);
  const own = useMemo(() => readOwnViews(kept), [kept]);
  const shared = useSharedViews(type);
  const all = useMemo(() => allViews(own, shared), [own, shared]);
  const now: View = { filter: filter.text, sort: order.sort, columns };
  const shown = all.find((view) => isSameView(view, now));
  const isPlain = filter.text === "" && isSameView({ ...now, columns }, { ...plain, columns });
  const names = useMemo(
    () => (all.length === 0 ? [] : [allName, ...all.map(({ name }) => name)]),
    [all],
  );
  const open = shown?.name ?? (isPlain ? allName : undefined);
  const tabs = useMemo(() => (names.length === 0 ? undefined : { names, open }), [names, open]);
  const shownTabs = tabs && { ...tabs, choose: (name: string) => show(name) };
  const store = (views: readonly NamedView[]) => setKept({ views: views.map(viewData) });
  const take = (view: View) => {
    if (view.filter === "") filter.clear();
    else filter.use(view.filter);
    order.set(view.sort);
    keepColumns(view.columns);
  };
  const show = (name: string) => {
    const view = all.find((each) => each.name === name);
    if (view === undefined) return take({ ...plain, columns: before.columns });
    if (shown === undefined) setBefore({ columns });
    take(view);
  };
  return {
    all,
    tabs: shownTabs,
    open,
    shown,
    now,
    show,
    keep: (view) => store(withView(own, view)),
    forget: (name) => store(own.filter((view) => view.name !== name)),
  };
}

const plain: View = { filter: "", sort: newestFirst };
