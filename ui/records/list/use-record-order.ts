import type { ObjectType } from "#client/index.ts";
import { headingOf, sortableFields } from "../../kit/data-fields/record-columns.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import type { SortMark } from "../../kit/table/columns.ts";
import { useNotices } from "../../shell/notices.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useRoute } from "../../shell/router.ts";
import { sortText } from "../use-resources.ts";

/** The order of a list without a choice. */
export const newestFirst: SortMark = { id: "created_at", descending: true };

/** The order of a list that a route has opened, which is not the type's own one. */
interface RouteOrder {
  /** The ID of the route's filter. */
  readonly of: string;
  readonly sort: SortMark;
}

const noOrder: RouteOrder = { of: "", sort: newestFirst };

/** The order of a route's filter while that is applied; a choice of the user replaces it. */
function useRouteOrder(slug: string, typedFilter: string) {
  const route = useRoute();
  const [chosen, choose] = useRemembered(`route order ${slug}`, noOrder);
  const filter = route.place === "resources" ? route.filter : undefined;
  if (filter?.sort === undefined || filter.text !== typedFilter) return undefined;
  const { id: of } = filter;
  const current = chosen.of === of ? chosen.sort : filter.sort;
  return { current, set: (sort: SortMark) => choose({ of, sort }) };
}

/** The order of a type's record list, remembered between visits. */
export function useRecordOrder(type: ObjectType, typedFilter = "") {
  const overlays = useOverlays();
  const { say } = useNotices();
  const [kept, keep] = useRemembered<SortMark>(`sort ${type.slug}`, newestFirst);
  const ofRoute = useRouteOrder(type.slug, typedFilter);
  const wanted = ofRoute?.current ?? kept;
  // The type may have lost the field since an earlier start.
  const sort = sortableFields(type).includes(wanted.id) ? wanted : newestFirst;
  const setSort = ofRoute?.set ?? keep;
  const { id: current, descending } = sort;
  const text = sortText(sort);
  const choose = (id: string) =>
    setSort({ id, descending: current === id ? !descending : id.endsWith("_at") });
  return {
    sort,
    /** The `--sort` option of a command; absent for the default order. */
    option: text === sortText(newestFirst) ? undefined : text,
    set: (next: SortMark) => setSort(next),
    reverse: () => setSort({ ...sort, descending: !descending }),
    /** Sorts by a field, or reverses the order if it is the current one. */
    sortBy: (id: string) => {
      if (sortableFields(type).includes(id)) choose(id);
      else say("note", `${headingOf(id)}: records have no order by it`);
    },
    /** Asks for the field. Choosing the current field reverses the order. */
    choose: () =>
      overlays.choose({
        title: "Sort by",
        placeholder: "a field",
        choices: sortableFields(type).map((id) => ({
          id,
          words: headingOf(id),
          note: current === id ? (descending ? "↓" : "↑") : undefined,
          isCurrent: current === id,
          choose: () => choose(id),
        })),
      }),
  };
}

export type RecordOrder = ReturnType<typeof useRecordOrder>;
