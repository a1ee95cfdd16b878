import { useEffect, useEffectEvent, useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import type { Filter } from "../../kit/filter/use-filter.ts";
import type { PlaceTable, TableRequest } from "../../kit/places/list-place.tsx";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import { useRoute } from "../../shell/router.ts";
import { sortText, useResources, type ResourceQuery } from "../use-resources.ts";
import { useMarks, type Marks } from "./use-marks.ts";
import { typeOfRecords } from "../../kit/data-fields/data-fields.ts";
import {
  headingOf,
  possibleColumns,
  recordColumns,
  standardColumns,
} from "../../kit/data-fields/record-columns.ts";
import type { Column } from "../../kit/table/columns.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useAgeTime } from "../../kit/keys/use-keys.ts";
import { rowsFrom, type LiveList } from "../../kit/lists/live-list.ts";
import { useStore } from "../../kit/state/store.ts";
import { referencesInRows } from "../record-references.ts";
import { useNames } from "../../shell/platform/names.ts";
import { referenceNamesPart } from "../reference-names.ts";
import { useChosenColumns } from "./use-chosen-columns.ts";
import { useRecordOrder, type RecordOrder } from "./use-record-order.ts";
import { useViews, type Views } from "./views/use-views.ts";

/** The columns of a type's table with names of referenced records; `choose` asks for others. */
function useRecordColumns(
  type: ObjectType,
  list: LiveList<Resource>,
  height: number,
): { readonly columns: readonly Column<Resource>[]; readonly choose: () => void } {
  const overlays = useOverlays();
  const nowMs = useAgeTime(list.sample);
  const [names, keepNames] = useChosenColumns(type.slug);
  const standard = standardColumns(type);
  const top = useStore(list.cursor.top);
  const recordNameOf = useNames(
    referenceNamesPart,
    referencesInRows(type, names ?? standard, rowsFrom(list, top, height)),
  );
  const columns = useMemo(
    () => recordColumns(type, nowMs, names, recordNameOf),
    [type, nowMs, names, recordNameOf],
  );
  const choose = () =>
    overlays.show({
      kind: "columns",
      question: {
        title: `Columns of ${type.slug}`,
        possible: possibleColumns(type),
        shown: columns.map(({ id }) => id),
        standard,
        onKeep: keepNames,
      },
    });
  return { columns, choose };
}

/** Applies the filter of a route once: a later visit does not apply it again. */
function useRouteFilter({ slug }: ObjectType, filter: Filter): void {
  const route = useRoute();
  const routeFilter = route.place === "resources" ? route.filter : undefined;
  const [appliedId, setAppliedId] = useRemembered(`route filter ${slug}`, "");
  const apply = useEffectEvent(filter.use);
  useEffect(() => {
    if (routeFilter === undefined || routeFilter.id === appliedId) return;
    setAppliedId(routeFilter.id);
    apply(routeFilter.text);
  }, [routeFilter, appliedId, setAppliedId]);
}

export interface TypeProps {
  readonly type: ObjectType;
}

export interface RecordTable extends PlaceTable<Resource> {
  readonly order: RecordOrder;
  readonly views: Views;
  readonly query: ResourceQuery;
  readonly marks: Marks;
  readonly chooseColumns: () => void;
  /** The type, with the properties that its columns come from. */
  readonly shownType: ObjectType;
}

export function useRecordTable(request: TableRequest<TypeProps>): RecordTable {
  const { props, filter, height } = request;
  const { type } = props;
  const order = useRecordOrder(type, filter.text);
  const query = { objectType: type.slug, sort: order.sort, where: filter.where };
  const views = useViews(type, filter, order);
  const { tabs } = views;
  const list = useResources(query, height);
  useRouteFilter(type, filter);
  const marks = useMarks(type, list, { where: filter.where, sort: sortText(order.sort) });
  const shownType = useMemo(() => typeOfRecords(type, list.sample), [type, list.sample]);
  const { columns, choose: chooseColumns } = useRecordColumns(shownType, list, height);
  const { id, descending } = order.sort;
  const facts = [`sort ${headingOf(id)} ${descending ? "↓" : "↑"}`];
  const { sort, sortBy } = order;
  const shown = { columns, chooseColumns, shownType, facts, sort, sortBy };
  return { list, order, views, query, marks, ...shown, tabs };
}
