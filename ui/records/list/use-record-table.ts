import { useEffect, useEffectEvent } from "react";
import type { ObjectType } from "#client/index.ts";
import type { Filter } from "../../kit/filter/use-filter.ts";
import type { MasterDetailState } from "../../kit/panes/use-master-detail.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useRouter } from "../../shell/use-router.tsx";
import { useOpenRecord } from "../detail/use-open-record.ts";
import { sortText, useResources } from "../use-resources.ts";
import { useMarks } from "./use-marks.ts";
import { useRecordColumns } from "./use-record-columns.ts";
import { useRecordSort } from "./use-record-sort.ts";

/** Applies the filter of a route once: a later visit does not apply it again. */
function useRouteFilter({ slug }: ObjectType, filter: Filter): void {
  const { route } = useRouter();
  const routeFilter = route.place === "resources" ? route.filter : undefined;
  const [appliedId, setAppliedId] = useRemembered(`route filter ${slug}`, "");
  const apply = useEffectEvent(filter.use);
  useEffect(() => {
    if (routeFilter === undefined || routeFilter.id === appliedId) return;
    setAppliedId(routeFilter.id);
    apply(routeFilter.text);
  }, [routeFilter, appliedId, setAppliedId]);
}

export type RecordTable = ReturnType<typeof useRecordTable>;

export function useRecordTable(
  type: ObjectType,
  filter: Filter,
  panes: MasterDetailState,
  height: number,
) {
  const sort = useRecordSort(type);
  const { where } = filter;
  const list = useResources({ objectType: type.slug, sort: sort.sort, where }, height);
  useRouteFilter(type, filter);
  const marks = useMarks(type.slug, list, { where, sort: sortText(sort.sort) });
  const opened = useOpenRecord(type, list, { isOpen: panes.detailChosen, filter: filter.text });
  const columns = useRecordColumns(type, list, height);
  return {
    filter,
    panes,
    list,
    sort,
    marks,
    columns,
    /** The opened record; the list may already have another row selected. */
    record: opened.record,
    caution: opened.caution,
    onChanged: () => {
      list.refresh();
      opened.refresh();
    },
  };
}
